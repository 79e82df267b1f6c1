import { inWords } from '../duration-words.ts';

/** A length of time for a person, to the second where it is short: `90 s`, `45 minutes`, `33 days`. */
export function timeSpan(seconds: number): string {
  const length = Math.abs(seconds);
  return length < 120 ? `${Math.round(length)} s` : inWords(length * 1000);
}

/** The day of a moment in UTC: `2026-03-01`. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** A moment in UTC to the second: `2026-03-01T14:05:59Z`. */
export function momentOf(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
