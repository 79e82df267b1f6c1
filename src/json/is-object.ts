/** Whether a value is a JSON object: neither null nor an array, nor a number that `parseShownJson` keeps as it was written. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJson(value);
}

/** Which the library types of TypeScript do not describe yet. */
const { isRawJSON: isRawJson } = JSON as unknown as { isRawJSON: (value: unknown) => boolean };

/**
 * The member of an object by a name from outside; undefined for names that every object inherits, such as `constructor`.
 */
export function own<Value>(
  object: Readonly<Record<string, Value>> | undefined,
  name: string | undefined,
): Value | undefined {
  return object && name !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The value of a member by the names that lead to it; only own members count. */
export function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((above, name) => (isObject(above) ? own(above, name) : undefined), value);
}

/** The objects and lists in a value and itself, each once, in no particular order. */
export function* containersIn(value: unknown): Generator<object, void, undefined> {
  const seen = new Set<unknown>();
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    yield next;
    for (const part of Object.values(next)) waiting.push(part);
  }
}
