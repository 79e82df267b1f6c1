import type { Operation } from '../contract/operation.ts';

/** A file suffix at the end of a path; names do not include it. */
export const SUFFIX = /\.(?:json|xml|ya?ml|csv)$/i;

const READING = /^(?:list|search|query|find|lookup)(?![a-z])|[^a-z](?:list|search|query|lookup)[^a-z]*$/;

/** Whether the last word in the path of a POST says that it only reads: `search`, `listFolder`, `{id}:query`. */
export function isReadingPath(path: string): boolean {
  const literal = path.replace(SUFFIX, '').replace(/\{[^}]*\}/g, '');
  const last = literal.split('/').findLast((segment) => /\w/.test(segment)) ?? '';
  const words = last.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/^\W+/, '');
  return READING.test(words.toLowerCase());
}

/** Whether a request of an operation only reads, so that payctl may send it again for the next page. */
export function onlyReads({ method, path }: Pick<Operation, 'method' | 'path'>): boolean {
  return method === 'GET' || (method === 'POST' && isReadingPath(path));
}
