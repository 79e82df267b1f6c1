import { prettyJson } from './json-pretty.ts';
import type { JsonMember } from './json-scan.ts';
import type { Colors } from './palette.ts';
import { escapeJsonText } from './sanitize.ts';

/** Gives the text of one JSON document piece by piece; joined, the pieces are the document. Keeps no items. */
export type JsonEnvelope = {
  items(texts: readonly string[], rest: readonly JsonMember[]): string;
  end(nextCursor: string | null): string;
};

/** Lays the document out over lines; without it, it is compact. */
export type EnvelopeLayout = { readonly colors: Colors };

/**
 * One envelope for many pages: `items` of all of them first, then the other members as the last page has them, with
 * `previous_cursor` of the first page and the `next_cursor` that `end` is told. Item texts have to be escaped already.
 */
export function createJsonEnvelope(layout?: EnvelopeLayout): JsonEnvelope {
  let opened = false;
  let anyItem = false;
  let firstRest: readonly JsonMember[] = [];
  let lastRest: readonly JsonMember[] = [];
  return {
    items(texts, rest) {
      let text = '';
      if (!opened) {
        firstRest = rest;
        text = layout ? `{\n  ${layout.colors.bold('"items"')}: [` : '{"items":[';
      }
      opened = true;
      lastRest = rest;
      if (texts.length === 0) return text;
      const separator = layout ? ',\n    ' : ',';
      if (anyItem) text += separator;
      else if (layout) text += '\n    ';
      anyItem = true;
      const pieces = layout
        ? texts.map((item) => prettyJson(item, { level: 2, colors: layout.colors }))
        : texts;
      return text + pieces.join(separator);
    },
    end(nextCursor) {
      const members = mergeMembers(firstRest, lastRest, nextCursor);
      if (layout === undefined) {
        return `]${members.map((member) => `,${member.keyText}:${member.valueText}`).join('')}}`;
      }
      const lines = members.map(({ keyText, valueText }) => {
        return `,\n  ${layout.colors.bold(keyText)}: ${prettyJson(valueText, { level: 1, colors: layout.colors })}`;
      });
      return `${anyItem ? '\n  ]' : ']'}${lines.join('')}\n}`;
    },
  };
}

function mergeMembers(
  first: readonly JsonMember[],
  last: readonly JsonMember[],
  nextCursor: string | null,
): JsonMember[] {
  const previous = first.find((member) => member.key === 'previous_cursor')?.valueText;
  const next = JSON.stringify(nextCursor);
  const members = last.map((member) => {
    if (member.key === 'next_cursor') return { ...member, valueText: next };
    if (member.key === 'previous_cursor') return { ...member, valueText: previous ?? member.valueText };
    return member;
  });
  const has = (key: string): boolean => members.some((member) => member.key === key);
  if (nextCursor !== null && !has('next_cursor')) members.push(memberOf('next_cursor', next));
  if (previous !== undefined && !has('previous_cursor')) members.push(memberOf('previous_cursor', previous));
  return members.map((member) => ({
    key: member.key,
    keyText: escapeJsonText(member.keyText),
    valueText: escapeJsonText(member.valueText),
  }));
}

function memberOf(key: string, valueText: string): JsonMember {
  return { key, keyText: JSON.stringify(key), valueText };
}
