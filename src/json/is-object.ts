/** Whether a value is a JSON object: neither null nor an array, nor a number that `parseShownJson` keeps as it was written. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJson(value);
}

/** Whether a value is a number that keeps its notation. The library types of TypeScript do not describe it yet. */
export const { isRawJSON: isRawJson } = JSON as unknown as {
  isRawJSON: (value: unknown) => value is { readonly rawJSON: string };
};

/**
 * The member of an object by a name from outside; undefined for names that every object inherits, such as `constructor`.
 */
export function own<Value>(
  object: Readonly<Record<string, Value>> | undefined,
  name: string | undefined,
): Value | undefined {
  return object && name !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The value that names, and the numbers of elements, lead to; only own members count. */
export function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((above, name) => {
    if (Array.isArray(above)) return /^(?:0|[1-9]\d*)$/.test(name) ? above[Number(name)] : undefined;
    return isObject(above) ? own(above, name) : undefined;
  }, value);
}
