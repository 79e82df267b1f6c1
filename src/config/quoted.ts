const LONGEST = 80;

/** A value as messages show it: in quotation marks, control characters escaped, at most 80 characters of it. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > LONGEST ? `${value.slice(0, LONGEST)}...` : value);
}
