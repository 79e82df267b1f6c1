import { isPersonalName } from '../contract/personal-names.ts';
import { isSecretName, MASK } from '../contract/secret-names.ts';

/** What is decided of a pair of a form by the names of its key, of which the last is the innermost: `a[b]` has two. */
type Decide = (names: readonly string[], value: string) => boolean;

/** A form in which secrets are masked, by the names of their keys. */
export function maskForm(text: string): string {
  return masked(text, (names) => names.some(isSecretName));
}

/** A form in which every text but a number is masked, and every number that is personal or a secret. */
export function redactForm(text: string): string {
  return masked(text, (names, value) => {
    const isPlain = /^(?:-?\d{1,15}(?:\.\d+)?|true|false|)$/.test(value);
    return !isPlain || names.some((name) => isSecretName(name) || isPersonalName(name));
  });
}

function masked(text: string, hides: Decide): string {
  const pairs = text.split('&').map((pair) => {
    const at = pair.indexOf('=');
    if (at === -1) return pair;
    const key = pair.slice(0, at);
    const names = key.split(/[[\]]+/).filter((name) => name !== '');
    return hides(names.map(decoded), pair.slice(at + 1)) ? `${key}=${MASK}` : pair;
  });
  return pairs.join('&');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
