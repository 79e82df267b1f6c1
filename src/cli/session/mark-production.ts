import { productionAt } from '../../config/origin.ts';
import type { Settings } from '../../config/settings.ts';
import { boundText } from '../../output/bound.ts';
import { forTerminal } from '../../output/for-terminal.ts';
import { sanitizeText } from '../../output/sanitize.ts';
import { loadColors } from '../../output/terminal.ts';
import { displayWidth, wrapToWidth } from '../../output/width.ts';
import type { Display } from '../show/display.ts';

/**
 * Says on a terminal, with the first request of a run to an origin of production, that it goes there: `PRODUCTION  acme-live`. It says
 * nothing in pipes and with --quiet.
 */
export function markProduction(settings: Settings, display: Display): (origin: string) => Promise<void> {
  let isMarked =
    settings.quiet.value || !display.stdoutTerminal.isTerminal || !display.stderrTerminal.isTerminal;
  return async (origin) => {
    const production = isMarked ? undefined : productionAt(settings, origin);
    if (!production) return;
    isMarked = true;
    const name = production.by === 'profile' ? production.name : (settings.profile.value?.name ?? '');
    await printFacts([PRODUCTION_MARK + name], display);
  };
}

/** Stands for the word and its two blanks, of which a broken line would keep one. */
export const PRODUCTION_MARK = 'PRODUCTION::';

/**
 * Prints the facts of a question on stderr, also where --quiet silences everything else: a question needs them. A line that is too wide for
 * the terminal is broken.
 */
export async function printFacts(
  lines: readonly string[],
  { stderr, stderrTerminal: { color }, redact }: Display,
): Promise<void> {
  const { red, bold } = await loadColors(color);
  const texts = lines
    .map((line) => sanitizeText(boundText(line, redact)))
    .flatMap((line, index) => (index === 0 ? [forTerminal(line, stderr)] : brokenFact(line, stderr)))
    .map((line) => `${line.replace(/^PRODUCTION::/, `${red(bold('PRODUCTION'))}  `).trimEnd()}\n`);
  await stderr.write(texts.join(''));
}

/** What begins a line that continues the one above it, so that no value looks like a line of its own. */
const CONTINUED = '    | ';

/** A sanitised line as it fits a terminal. */
export function brokenFact(line: string, { isTerminal, columns }: Display['stderr']): readonly string[] {
  if (!isTerminal || displayWidth(line) <= columns) return [line];
  const parts = wrapToWidth(line, Math.max(columns - CONTINUED.length, CONTINUED.length));
  return parts.map(({ text }, index) => (index === 0 ? text : CONTINUED + text));
}
