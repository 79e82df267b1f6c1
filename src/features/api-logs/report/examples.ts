import { isObject } from '../../../json/is-object.ts';
import type { Entry } from '../entry.ts';
import type { LogItem } from '../filter.ts';
import type { CountedGroup } from '../summary.ts';

/** An entry that stands for its group, with its bodies as far as a report has room for them. */
export type Example = {
  readonly entry: Entry;
  /** Undefined where the entry has none: those of the service have none. */
  readonly requestBody: unknown;
};

/** Groups of which an example is kept: many more than a report shows, because the largest ones are known at the end only. */
const MOST = 200;

/** Keeps the first entry of each group, of the largest groups where there are very many. */
export class Examples {
  readonly #kept = new Map<CountedGroup, Example>();
  /** No kept group is smaller than this: groups only grow. */
  #smallest = 0;

  /** Keeps an entry if its group has no example and is one of the largest. */
  add(group: CountedGroup, item: LogItem): void {
    if (this.#kept.has(group)) return;
    if (this.#kept.size >= MOST && !this.#makesRoom(group)) return;
    this.#kept.set(group, exampleOf(item));
  }

  /** The example of a group; undefined where none was kept. */
  of(group: CountedGroup): Example | undefined {
    return this.#kept.get(group);
  }

  /** Lets the smallest group go, unless this one is no larger. */
  #makesRoom({ count }: CountedGroup): boolean {
    if (count <= this.#smallest) return false;
    let smallest: CountedGroup | undefined;
    for (const group of this.#kept.keys()) {
      if (smallest === undefined || group.count < smallest.count) smallest = group;
    }
    this.#smallest = smallest?.count ?? 0;
    if (smallest === undefined || count <= smallest.count) return false;
    this.#kept.delete(smallest);
    return true;
  }
}

function exampleOf({ entry, text }: LogItem): Example {
  const room = { characters: 64 * 1024 };
  const { id, url, method, code } = entry;
  const value: unknown = text === '' ? undefined : JSON.parse(text);
  return {
    entry: {
      ...entry,
      id: id?.slice(0, LONGEST_WORD),
      url: url?.slice(0, LONGEST_URL),
      method: method?.slice(0, LONGEST_WORD),
      code: code?.slice(0, LONGEST_WORD),
      body: shorten(entry.body, room, 0),
    },
    requestBody: shorten(isObject(value) ? value.request_body : undefined, room, 0),
  };
}

/** Characters that are kept of an id or a code, and of an address. */
const LONGEST_WORD = 200;
const LONGEST_URL = 2_000;

/** Characters that are kept of a text of a body. */
const LONGEST = 20_000;
/** Levels of JSON that are kept. */
const DEEPEST = 30;
/** The room that a member takes up in addition to its texts. */
const MEMBER = 16;

/** A copy of JSON in so much room; what has no room becomes an ellipsis, and what comes after that is left out. */
function shorten(value: unknown, room: { characters: number }, depth: number): unknown {
  if (typeof value === 'string') {
    const text = value.length > LONGEST ? cut(value) : value;
    room.characters -= text.length;
    return room.characters < 0 ? '\u2026' : text;
  }
  if (!Array.isArray(value) && !isObject(value)) return value;
  if (depth >= DEEPEST) return '\u2026';
  const kept: [string, unknown][] = [];
  for (const [name, part] of Object.entries(value)) {
    room.characters -= name.length + MEMBER;
    if (room.characters < 0) break;
    kept.push([name, shorten(part, room, depth + 1)]);
  }
  return Array.isArray(value) ? kept.map(([, part]) => part) : Object.fromEntries(kept);
}

/** Characters of the longest word that is looked for at the end of a text. */
const LONGEST_END = 5_000;

/** The beginning of a long text, up to the end of a word: half a token or a card number would not be recognised and masked. */
function cut(text: string): string {
  const beginning = text.slice(0, LONGEST);
  const end = beginning.slice(-LONGEST_END).search(/[\s"'<>,;&][^\s"'<>,;&]*$/);
  const words = beginning.slice(0, LONGEST - LONGEST_END + Math.max(0, end));
  return `${words.replace(/[\d\s().+-]{1,60}$/, '')}\u2026`;
}
