/**
 * The owner of the records that a request is about: a merchant account, and the ids in its path, in path order. Records below two
 * or more parameters, or below one that names no record, belong to all ids before that of their own parent.
 */
export type Scope = { readonly account: string; readonly ids: readonly string[] };

/** The name of an owner: the merchant account and the first `depth` ids of the path, joined by slashes. */
export function ownerIn({ account, ids }: Scope, depth: number): string {
  return [account, ...ids.slice(0, depth).map(encodeURIComponent)].join('/');
}
