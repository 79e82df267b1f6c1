import { kebab } from './plain-text.ts';

const KEY_NAME = /(?:^|-)idempoten(?:cy|ce|t)(?:-?(?:key|token|id|uuid|guid))?$/;
/** What is made for one request alone. Any other ID, as that of an order, is one of the caller's own, whatever it is also good for. */
const REQUEST_ID =
  /(?:^|-)(?:request|client|retry|repeatability|unique|dedup[a-z]*|correlation)(?:-[a-z]+)*-(?:key|token|id|uuid|guid)$/;
/** "The server stores keys for 6 hours." */
const SAYS_SO =
  /\bidempoten|\b(?:stores?|keeps?|remembers?) (?:the )?keys? for\b|\bsafe(?:ly)? (?:to )?(?:retry|repeat)/i;
const DENIES = /\b(?:not|non)[ -]idempoten/i;

/** Whether a name says that the value is a key under which a service carries a request out only once. */
export function isKeyName(name: string): boolean {
  return KEY_NAME.test(kebab(name));
}

/** The name of the key among parameters or members: the one that has the name of a key, else one whose description says that it is. */
export function keyAmong(names: Iterable<string>, describe: (name: string) => unknown): string | undefined {
  const all = [...names];
  const isDescribed = (name: string) => {
    const text = REQUEST_ID.test(kebab(name)) ? describe(name) : undefined;
    return typeof text === 'string' && SAYS_SO.test(text) && !DENIES.test(text);
  };
  return all.find(isKeyName) ?? all.find(isDescribed);
}
