import { endOfString } from './scan.ts';

/** How deep JSON that payctl reads from its user may be nested: far more than any request, far less than the stack takes. */
export const MAX_DEPTH = 100;

/** Whether containers are nested more than so many levels deep. Takes any text and does not recurse. */
export function isNestedDeeper(text: string, levels: number): boolean {
  return indexBelow(text, levels) !== undefined;
}

/** The index of the first container that is nested too deep, if there is one. */
export function indexBelow(text: string, levels: number): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at) - 1;
    else if ((code === 0x7b || code === 0x5b) && ++depth > levels) return at;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return undefined;
}
