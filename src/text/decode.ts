/** Decodes percent-escapes; a text with an invalid one stays as it is. */
export function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
