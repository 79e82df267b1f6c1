import type { Operation } from '../../contract/operation.ts';
import { stringifyExactJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { pointerSegment, valueAtPointer } from '../../json/pointer.ts';
import { prettyJson } from '../../json/pretty.ts';
import { escapeJsonText } from '../../output/sanitize.ts';
import type { Display } from './display.ts';

/** Prints a body as JSON over lines, to be edited, whatever the format of the run. */
export async function showExample({ stdout }: Pick<Display, 'stdout'>, body: unknown): Promise<void> {
  await stdout.write(`${prettyJson(escapeJsonText(stringifyExactJson(body)))}\n`);
}

/** The example that the contract has for the body of an operation; undefined where it has none. */
export async function contractExample({
  method,
  path,
}: Pick<Operation, 'method' | 'path'>): Promise<unknown> {
  const { default: contract } = await import('../../contract/generated/description.json', {
    with: { type: 'json' },
  });
  const operation = `/paths/${pointerSegment(path)}/${method.toLowerCase()}`;
  const examples = valueAtPointer(contract, `${operation}/requestBody/content/application~1json/examples`);
  const [first] = isObject(examples) ? Object.values(examples) : [];
  return isObject(first) ? first.value : undefined;
}
