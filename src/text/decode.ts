/** The name and the value of one pair of a query or a form; without a `=` the value is empty. @throws URIError for an invalid escape */
export function decodePair(pair: string): readonly [name: string, value: string] {
  const at = pair.indexOf('=');
  if (at === -1) return [decodePlus(pair), ''];
  return [decodePlus(pair.slice(0, at)), decodePlus(pair.slice(at + 1))];
}

function decodePlus(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** Decodes percent-escapes; a text with an invalid one stays as it is. */
export function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
