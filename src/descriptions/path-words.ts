/** The singular of a word of a path, in lower case with underscores: `payment-methods` becomes `payment_method`. */
export function singular(word: string): string {
  const plain = word.replaceAll(/[^\p{L}\p{N}]+/gu, '_').toLowerCase();
  if (/(ss|us|is)$/.test(plain)) return plain;
  if (/ies$/.test(plain)) return plain.replace(/ies$/, 'y');
  return /(ses|xes|zes|ches|shes)$/.test(plain) ? plain.replace(/es$/, '') : plain.replace(/s$/, '');
}

/** A path with `{}` for each parameter, without a slash or the suffix of a file format at its end. */
export function plainPath(path: string): string {
  return path
    .replaceAll(/\{[^{}]*\}/g, '{}')
    .replace(/(.)\/$/, '$1')
    .replace(/(?<=[^/])\.(?:json|xml)$/i, '');
}

/** The last word of a path that is no parameter. */
export function lastWord(path: string): string {
  return path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
}
