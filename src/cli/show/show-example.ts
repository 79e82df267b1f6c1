import { stringifyExactJson } from '../../json/exact.ts';
import { prettyJson } from '../../json/pretty.ts';
import { escapeJsonText } from '../../output/sanitize.ts';
import type { Display } from './display.ts';

/** Prints a body as JSON over lines, to be edited, whatever the format of the run. */
export async function showExample({ stdout }: Pick<Display, 'stdout'>, body: unknown): Promise<void> {
  await stdout.write(`${prettyJson(escapeJsonText(stringifyExactJson(body)))}\n`);
}
