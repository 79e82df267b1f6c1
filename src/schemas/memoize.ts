const MOST_NAMES = 10_000;

/** Caches a function of names, for as many names as any useful description has. */
export function oncePerName<T>(work: (name: string) => T): (name: string) => T {
  const results = new Map<string, T>();
  return (name) => {
    if (results.has(name)) return results.get(name) as T;
    const result = work(name);
    if (results.size < MOST_NAMES) results.set(name, result);
    return result;
  };
}

/** Caches a function by the identity of its first argument. The other arguments must not change the result. */
export function oncePerObject<Of extends object, Others extends readonly unknown[], T>(
  work: (of: Of, ...others: Others) => T,
): (of: Of, ...others: Others) => T {
  const results = new WeakMap<Of, { readonly result: T }>();
  return (of, ...others) => {
    const known = results.get(of);
    if (known) return known.result;
    const result = work(of, ...others);
    results.set(of, { result });
    return result;
  };
}
