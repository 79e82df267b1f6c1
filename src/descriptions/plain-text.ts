import { oncePerName } from '../schemas/memoize.ts';

const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

const TAGS =
  'a|abbr|address|article|aside|b|blockquote|br|button|caption|center|cite|code|col|colgroup|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|img|ins|kbd|label|li|main|mark|nav|ol|p|pre|q|s|samp|section|small|span|strike|strong|style|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr';
/** Tags that end a line. */
const BREAKS = /<(?:br|hr|\/?(?:p|div|li|ul|ol|tr|table|h[1-6]|pre|blockquote))\b[^<>]*>/gi;
const TAG = new RegExp(`</?(?:${TAGS})(?:\\s[^<>]*)?/?>|<!--[^<]*?-->`, 'gi');
/** A tag that is cut off at the end of a text. */
const OPEN_TAG = new RegExp(`<(?:/|(?:${TAGS})\\s)[^<>]*$`, 'i');
const ADDRESS = /<((?:https?|mailto):[^<>\s]+)>/gi;
const LINK = /!?\[([^[\]]*)\]\([^()\s]*(?:\s+"[^"()]*")?\)/g;
const BOLD = /\*\*([^*\n]+)\*\*/g;
const HEADING = /^#{1,6} +/gm;
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};
const ENTITY = /&(?:lt|gt|quot|apos|#39|nbsp|amp);/g;

/**
 * Removes HTML tags and the Markdown markup of links, headings and bold text; the words remain. Placeholders that only look like
 * tags, such as `<buyer_id>`, remain. Takes time proportional to the length of the text.
 */
export function withoutMarkup(text: string): string {
  if (!/[<&[*#]/.test(text)) return text;
  return text
    .replace(BREAKS, '\n')
    .replace(TAG, '')
    .replace(OPEN_TAG, '')
    .replace(ADDRESS, '$1')
    .replace(LINK, '$1')
    .replace(BOLD, '$1')
    .replace(HEADING, '')
    .replace(ENTITY, (entity) => ENTITIES[entity] ?? entity);
}

/** How many characters of markup are read in addition to the characters that are shown. */
const MARKUP = 2000;

/** Text of a description on one line: without markup and control characters, cut after `most` characters. */
export function plainLine(value: unknown, most = 200): string {
  return typeof value === 'string' ? asLine(withoutMarkup(value.slice(0, most * 4 + MARKUP)), most) : '';
}

function asLine(text: string, most = 200): string {
  const line = text.replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}\u2026` : line;
}

/** Text of a description with its paragraphs: every other control character is a space. */
export function plainText(value: unknown, most = 4000): string {
  if (typeof value !== 'string') return '';
  const paragraphs = withoutMarkup(value.slice(0, most * 2 + MARKUP)).split(/\r?\n\s*\n/);
  const text = paragraphs
    .map((paragraph) => asLine(paragraph, most))
    .join('\n\n')
    .trim();
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}\u2026` : text;
}

/** The first sentence of a text, as one line. */
export function firstSentence(value: unknown): string {
  const [paragraph = ''] = typeof value === 'string' ? value.trim().split(/\r?\n\s*\n/) : [];
  const line = plainLine(paragraph, 400);
  return asLine(SENTENCE.exec(line)?.[0] ?? line);
}

/** The first sentence, with the sentence that says what the default is. */
export function shortText(value: unknown): string {
  const first = firstSentence(value);
  const usual = typeof value === 'string' ? defaultIn(first, plainLine(value, 1000)) : '';
  return usual === '' ? first : `${first} ${usual}`;
}

/** The sentence of a line that says what the default is; empty if the text before it already does. */
export function defaultIn(before: string, line: string): string {
  return /default/i.test(before) ? '' : asLine(DEFAULT.exec(line)?.[1] ?? '');
}

const SENTENCE = /^.*?(?<!\b(?:e\.g|i\.e|etc|vs))[.!?](?=\s|$)/;
const DEFAULT = /[.!?:] ((?:Defaults?|By default)\b[^.!?]{1,120}(?:\.(?!\s|$)[^.!?]{1,60}){0,4}[.!?]?)/;

/** A name in kebab case that begins with a letter, of small letters and digits only; empty where nothing of it is left. */
export const kebab = oncePerName((name) =>
  name
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(?=\d)/, 'x'),
);
