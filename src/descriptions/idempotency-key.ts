import { kebab } from './plain-text.ts';

const KEY_NAME =
  /^(?:(?!is-|no-|non-|not-)[a-z0-9]+-)*idempoten(?:c[ye](?:-?(?:key|token|id|uuid|guid))?|t-?(?:key|token|id|uuid|guid))$/;
/** What is made for one request alone. Any other ID, as that of an order, is one of the caller's own, whatever it is also good for. */
const REQUEST_ID =
  /(?:^|-)(?:(?:request|retry|repeatability|unique|dedup[a-z]*)(?:-[a-z]+)*-(?:key|token|id|uuid|guid)|client-token)$/;
/** "The server stores keys for 6 hours." */
const SAYS_SO =
  /\bidempoten|\b(?:stores?|keeps?|remembers?) (?:the )?keys? for\b|\bsafe(?:ly)? (?:to )?(?:retry|repeat)/i;
const DENIES = /\b(?:no|non|not|never|neither|cannot|without|instead)\b|n't\b/i;

/** Whether a description promises it. A change that has a key may be sent again, so a sentence that may deny it promises nothing. */
function promises(text: string): boolean {
  const told = text.split(/(?<=[.!?])\s|\n+/).filter((sentence) => SAYS_SO.test(sentence));
  return told.length > 0 && !told.some((sentence) => DENIES.test(sentence));
}

/** Whether a name says that the value is a key under which a service carries a request out only once. */
export function isKeyName(name: string): boolean {
  return KEY_NAME.test(kebab(name));
}

/** The name of the key among parameters or members: the one that has the name of a key, else one whose description says that it is. */
export function keyAmong(names: Iterable<string>, describe: (name: string) => unknown): string | undefined {
  const all = [...names];
  const isDescribed = (name: string) => {
    const text = REQUEST_ID.test(kebab(name)) ? describe(name) : undefined;
    return typeof text === 'string' && promises(text);
  };
  return all.find(isKeyName) ?? all.find(isDescribed);
}
