import { textAt } from './edit.ts';
import { endOfValue, skipSpace } from './scan.ts';

/**
 * The exact source text of a member of the object that is `text`, undefined where it has none. Faster than `textAt` where no object or
 * array is between the member and that end of the object which `near` names. Of duplicate names, either may count.
 */
export function topMember(text: string, name: string, near: 'start' | 'end'): string | undefined {
  const key = `"${name}":`;
  const at = near === 'start' ? text.indexOf(key) : text.lastIndexOf(key);
  // The member may be written with white space, or with escapes in its name.
  if (at === -1) return text.includes(name) || text.includes('\\') ? textAt(text, name) : undefined;
  const start = skipSpace(text, at + key.length);
  const end = endOfValue(text, start);
  const isOutside =
    near === 'start' ? !BRACKET.test(text.slice(1, at)) : !BRACKET.test(text.slice(end, text.length - 1));
  return isOutside ? text.slice(start, end) : textAt(text, name);
}

const BRACKET = /[[\]{}]/;
