import type { Colors } from '../../output/palette.ts';
import { sanitizeText } from '../../output/sanitize.ts';
import { wrapWords } from '../../output/wrap-words.ts';
import type { CheckState, Finding } from './finding.ts';

/** How a terminal is drawn to. */
export type DrawOptions = {
  /** Display columns. */
  readonly width: number;
  readonly colors: Colors;
};

const STATE_WIDTH = 'warning'.length;
const NAME_WIDTH = 'merchant-account'.length;
const GAP = 2;
const TEXT_AT = STATE_WIDTH + GAP + NAME_WIDTH + GAP;
const NARROWEST_TEXT = 20;
/** Stands before what to do, also where there is no colour to tell it by. */
const ARROW = '-> ';

/**
 * Draws a finding for a terminal: state, name and what was found, and below it what to do; every text is sanitised and
 * wrapped between words. A word, and so a path, is never broken.
 */
export function drawFinding(
  { name, state, message, remedy }: Finding,
  { width, colors }: DrawOptions,
): string {
  const room = Math.max(width - TEXT_AT, NARROWEST_TEXT);
  const paintState = painterOf(state, colors);
  const head = `${paintState(state)}${' '.repeat(STATE_WIDTH - state.length + GAP)}${name.padEnd(NAME_WIDTH + GAP)}`;
  const paint = state === 'skipped' ? colors.dim : (text: string) => text;
  const [first = '', ...others] = wrapWords(sanitizeText(message), room);
  const steps = remedy ? wrapWords(sanitizeText(remedy), room - ARROW.length) : [];
  const below = [
    ...others.map(paint),
    ...steps.map((line, index) => (index === 0 ? ARROW : ' '.repeat(ARROW.length)) + colors.cyan(line)),
  ];
  const indent = ' '.repeat(TEXT_AT);
  return `${head}${paint(first)}\n${below.map((line) => `${indent}${line}\n`).join('')}`;
}

function painterOf(state: CheckState, colors: Colors): (text: string) => string {
  switch (state) {
    case 'ok':
      return colors.green;
    case 'warning':
      return colors.yellow;
    case 'fault':
      return colors.red;
    case 'skipped':
      return colors.dim;
  }
}
