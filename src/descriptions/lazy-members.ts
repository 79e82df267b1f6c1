/** An object with members of these names, each created when it is first read. */
export function lazyMembers<T>(
  names: readonly string[],
  make: (name: string) => T,
): Readonly<Record<string, T>> {
  const members: Record<string, T> = {};
  for (const name of names) {
    const get = (): T => {
      const value = make(name);
      Object.defineProperty(members, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(members, name, { get, enumerable: true, configurable: true });
  }
  return members;
}
