import type { Operation } from '../contract/operation.ts';
import { valueAtPointer } from '../descriptions/schema-at.ts';
import { isObject } from '../json/is-object.ts';
import { pointerSegment } from '../json/pointer.ts';

/** The example that the contract has for the body of an operation; undefined where it has none. */
export async function contractExample({
  method,
  path,
}: Pick<Operation, 'method' | 'path'>): Promise<unknown> {
  const { default: contract } = await import('../contract/generated/description.json', {
    with: { type: 'json' },
  });
  const operation = `/paths/${pointerSegment(path)}/${method.toLowerCase()}`;
  const examples = valueAtPointer(contract, `${operation}/requestBody/content/application~1json/examples`);
  const [first] = isObject(examples) ? Object.values(examples) : [];
  return isObject(first) ? first.value : undefined;
}
