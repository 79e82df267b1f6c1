/** A JSON object whose numbers are as they were written. It is for `JSON.stringify` and nothing else. */
export type KeptNumbers = Readonly<Record<string, unknown>>;

type SourceReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** What Node has and the library types of TypeScript do not describe yet. */
const json = JSON as unknown as {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: SourceReviver): unknown;
};

/**
 * Parses the JSON text of an object so that writing it again gives the numbers of the text: a double would round long
 * integers and turn `1.0` into `1`, and a service stores what it was sent.
 */
export function parseKeepingNumbers(text: string): KeptNumbers {
  const keep: SourceReviver = (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value;
  return json.parse(text, keep) as KeptNumbers;
}
