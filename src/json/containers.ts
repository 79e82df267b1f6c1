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
