import { endOfString, unquote } from './scan.ts';

/** A container that is open: an object with the names that it has so far, or an array; `step` is the name or the index of its part. */
type Open = { readonly names: Map<string, boolean> | undefined; step: string | number };

/**
 * The members of JSON text whose names an object has more than once, each as the names and indexes that lead to it: every parser
 * keeps one of the values and none says so. Expects text that JSON.parse accepts, and does not recurse.
 */
export function repeatedMembers(text: string, most = 100): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const open: Open[] = [];
  let top: Open | undefined;
  let expectsName = false;
  for (let at = 0; at < text.length && found.length < most; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (expectsName && top?.names) {
        top.step = unquote(text.slice(at, end));
        const isReported = top.names.get(top.step);
        if (isReported === false) found.push(open.map(({ step }) => String(step)));
        top.names.set(top.step, isReported !== undefined);
      }
      expectsName = false;
      at = end - 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      expectsName = code === OPEN_BRACE;
      top = { names: expectsName ? new Map() : undefined, step: 0 };
      open.push(top);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      open.pop();
      top = open.at(-1);
      expectsName = false;
    } else if (code === COMMA && top) {
      expectsName = top.names !== undefined;
      if (typeof top.step === 'number') top.step += 1;
    }
  }
  return found;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
