import { isPersonalName } from '../../contract/personal-names.ts';
import { isSecretName, isSecretValue, MASK } from '../../contract/secret-names.ts';
import { decodeComponent } from '../../text/decode.ts';
import { maskData } from './mask.ts';

/** A value of a form, decoded; the last of the names of its key is the innermost. */
type Pair = { readonly names: readonly string[]; readonly text: string };

/** Whether the value of a form, or of a part of a body, is a secret or a document with one in it. */
export function isSecretPair({ names, text }: Pair): boolean {
  if (names.some(isSecretName) || isSecretValue(text)) return true;
  return /^\s*[[{]/.test(text) && maskData(text, {}).text !== text;
}

/** A number that is short enough to be no account, card or telephone number. */
const PLAIN = /^(?:-?\d{1,8}(?:\.\d{1,8})?|true|false|)$/;

/** Whether the value of a form, or of a part of a body, is left out of a log. */
export function isHiddenPair({ names, text }: Pair): boolean {
  return !PLAIN.test(text) || names.some((name) => isSecretName(name) || isPersonalName(name));
}

/** A form in which every text but a short number is masked, and every number that is personal or a secret. */
export function redactForm(form: string): string {
  const pairs = form.split('&').map((pair) => {
    const at = pair.indexOf('=');
    if (at === -1) return pair;
    const key = pair.slice(0, at);
    return isHiddenPair({ names: namesIn(decoded(key)), text: decoded(pair.slice(at + 1)) })
      ? `${key}=${MASK}`
      : pair;
  });
  return pairs.join('&');
}

/** The names in the key of a pair or the name of a part: `a[b].c` has three. */
export function namesIn(key: string): readonly string[] {
  return key.split(/[[\].]+/).filter((name) => name !== '');
}

function decoded(text: string): string {
  return decodeComponent(text.replaceAll('+', ' '));
}
