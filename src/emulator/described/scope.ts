/**
 * Whose records a request is about: a merchant account, and the ids that its path leads through, in path order. Records below two
 * parameters or more, or below one that names no record, are told apart by all that come before their own parent.
 */
export type Scope = { readonly account: string; readonly ids: readonly string[] };

/** The name of what belongs to so many of the ids of a scope: the merchant account, and no text besides where they are none. */
export function ownerIn({ account, ids }: Scope, depth: number): string {
  return [account, ...ids.slice(0, depth).map(encodeURIComponent)].join('/');
}
