import { plural } from '../output/plural.ts';

/**
 * A length of time as a person says it, rounded: `less than a minute`, `5 minutes` up to two hours, `30 hours` up to two
 * days, then days. Negative lengths count as positive ones.
 */
export function inWords(milliseconds: number): string {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return plural(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
