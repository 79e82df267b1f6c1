/** An entry with a key that tells it apart from all others. */
export type Keyed<Item> = { readonly key: string; readonly item: Item };

type Named = { readonly id: string | undefined; readonly text: string };

/**
 * The entries with their keys, each key once: pages that were read while entries arrived repeat some. Entries without an ID
 * are distinguished by their texts and, from the oldest on, by how many have the same text; those `above` them count, too.
 */
export function withKeys<Item extends Named>(
  items: readonly Item[],
  above: readonly Named[] = [],
): Keyed<Item>[] {
  const copies = new Map<string, number>();
  for (const item of above) keyOf(item, copies);
  const keys = new Set<string>();
  // From the oldest on: of several copies, the newest is the one that may be new.
  const listed = items.toReversed().map((item) => ({ key: keyOf(item, copies), item }));
  return listed.reverse().filter(({ key }) => !keys.has(key) && keys.add(key));
}

function keyOf({ id, text }: Named, copies: Map<string, number>): string {
  if (id !== undefined) return `id ${id}`;
  const digest = process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('base64');
  const number = (copies.get(digest) ?? 0) + 1;
  copies.set(digest, number);
  return `${digest} ${number}`;
}

/**
 * A listing, and the entries of an earlier one that it lacks, each below the entry that preceded it there. If the two listings
 * have nothing in common, the earlier entries come above all that `isKnown` from before: a copy of the service that is behind does
 * not have them yet.
 */
export function union<Item extends Named>(
  items: readonly Item[],
  earlier: readonly Item[],
  isKnown: (key: string) => boolean,
): readonly Item[] {
  const listed = withKeys(items);
  const before = withKeys(earlier);
  const keysBefore = new Set(before.map(({ key }) => key));
  const places = new Map(listed.map(({ key }, index) => [key, index]));
  const isShared = ({ key }: Keyed<Item>) => keysBefore.has(key) || isKnown(key);
  // Entries that arrived in between are listed above all earlier ones.
  const top = listed.findIndex(isShared);
  let next = top === -1 ? listed.length : top;
  const all = listed.slice(0, next);
  for (const entry of before) {
    const place = places.get(entry.key);
    if (place === undefined) all.push(entry);
    else if (place >= next) {
      all.push(...listed.slice(next, place + 1));
      next = place + 1;
    }
  }
  return [...all, ...listed.slice(next)].map(({ item }) => item);
}
