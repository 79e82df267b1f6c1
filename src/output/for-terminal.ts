import { wrapProse } from '../text/wrap.ts';
import type { Sink } from './streams.ts';
import { displayWidth } from './width.ts';

/**
 * A sanitised message for a person: on a terminal, its lines are broken between words to the present width; elsewhere it is
 * left as it is.
 */
export function forTerminal(
  text: string,
  { isTerminal, columns }: Pick<Sink, 'isTerminal' | 'columns'>,
): string {
  return isTerminal ? wrapProse(text, columns, displayWidth) : text;
}
