const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Text of a description on one line: without control characters, cut at so many characters. */
export function plainLine(value: unknown, most = 200): string {
  if (typeof value !== 'string') return '';
  const line = value
    .slice(0, most * 4)
    .replace(CONTROLS, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}\u2026` : line;
}

/** Text of a description with its paragraphs: every other control character is a space. */
export function plainText(value: unknown, most = 4000): string {
  if (typeof value !== 'string') return '';
  const paragraphs = value.slice(0, most * 2).split(/\r?\n\s*\n/);
  const text = paragraphs
    .map((paragraph) => plainLine(paragraph, most))
    .join('\n\n')
    .trim();
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}\u2026` : text;
}

/** The first sentence of a text, as one line. */
export function firstSentence(value: unknown): string {
  const [paragraph = ''] = typeof value === 'string' ? value.trim().split(/\r?\n\s*\n/) : [];
  const line = plainLine(paragraph, 400);
  return plainLine(/^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line);
}

/** A name in kebab case that begins with a letter, of small letters and digits only; empty where nothing of it is left. */
export function kebab(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(?=\d)/, 'x');
}
