/** Whether a text is a whole JSON document. */
export function isJson(text: string): boolean {
  return jsonOrNone(text) !== undefined;
}

/** The value of a text that is a whole JSON document; undefined for any other text. */
export function jsonOrNone(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
