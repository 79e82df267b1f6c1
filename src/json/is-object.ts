/** Whether a value is a JSON object: neither null nor an array, nor a number that `parseShownJson` keeps as it was written. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJson(value);
}

/** Which the library types of TypeScript do not describe yet. */
const { isRawJSON: isRawJson } = JSON as unknown as { isRawJSON: (value: unknown) => boolean };
