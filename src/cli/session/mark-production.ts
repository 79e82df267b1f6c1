import { productionAt } from '../../config/origin.ts';
import type { Settings } from '../../config/settings.ts';
import { sanitizeText } from '../../output/sanitize.ts';
import { loadColors } from '../../output/terminal.ts';
import type { Display } from '../show/display.ts';

/**
 * Says on a terminal, with the first request of a run to an origin of production, that it goes there: `PRODUCTION  acme-live`. It says
 * nothing in pipes and with --quiet.
 */
export function markProduction(
  settings: Settings,
  { stdoutTerminal, stderrTerminal, stderr }: Display,
): (origin: string) => Promise<void> {
  let isMarked = settings.quiet.value || !stdoutTerminal.isTerminal || !stderrTerminal.isTerminal;
  return async (origin) => {
    const production = isMarked ? undefined : productionAt(settings, origin);
    if (!production) return;
    isMarked = true;
    const name = production.by === 'profile' ? production.name : (settings.profile.value?.name ?? '');
    const line = (await productionMark(stderrTerminal)) + sanitizeText(name);
    await stderr.write(`${line.trimEnd()}\n`);
  };
}

/** The word that a line about production begins with, and the two blanks after it. */
export async function productionMark({ color }: Display['stderrTerminal']): Promise<string> {
  const { red, bold } = await loadColors(color);
  return `${red(bold('PRODUCTION'))}  `;
}
