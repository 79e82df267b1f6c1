/** An entry of a list that is followed. */
export type TailItem = {
  readonly id: string | undefined;
  /** When it was written, in milliseconds since 1970; undefined where it does not say so. */
  readonly time: number | undefined;
  /** The entry itself, and its exact JSON text. */
  readonly item: unknown;
  readonly text: string;
};

/** What one poll got: the newest entries, newest first, over as many pages as were read. */
export type Answer = {
  readonly items: readonly TailItem[];
  /** The list ends with the last of them: the service sent no cursor that leads on. */
  readonly isWhole: boolean;
  /** The service sends cursors, so a list without one is complete; otherwise it may be cut without a word. */
  readonly hasCursors: boolean;
  /** When the service answered, by its own clock, in milliseconds since 1970. */
  readonly at: number;
};

/** An entry that no earlier answer held. */
export type NewEntry = TailItem & {
  /** It is stamped earlier than an entry of an earlier answer. */
  readonly isLate: boolean;
};

/** A span of time, in milliseconds since 1970, of which entries may be missing; an end that is not known is undefined. */
export type Gap = { readonly from: number | undefined; readonly to: number | undefined };

/**
 * What is known of the list after an answer. It is about as large as that answer, and holds everything that the service can
 * return again: a bound by number or by age would forget entries that are still listed, and print them twice.
 */
export type Marks = {
  /** The times of the entries by their keys, newest first. */
  readonly times: ReadonlyMap<string, number | undefined>;
  /**
   * Entries of earlier answers that this one does not hold although it reaches as far back, by their keys: a service with several
   * copies of its data may answer from one that is behind, and list them again.
   */
  readonly missing: ReadonlyMap<string, MissingEntry>;
  /** The list ended with the last of them; otherwise what follows it is the past, which was not asked for. */
  readonly isWhole: boolean;
  /** The latest time of any entry so far; those that are stamped in the future do not count. */
  readonly latest: number;
};

/** An entry that an answer left out. */
type MissingEntry = {
  readonly time: number | undefined;
  /** The key of an entry that was listed below it: as long as that is listed, this one can be listed again. */
  readonly above: string | undefined;
};

/** What an answer brought. */
export type Comparison = {
  /** The new entries, oldest first. */
  readonly entries: readonly NewEntry[];
  readonly gap: Gap | undefined;
  /** To compare the next answer with. */
  readonly marks: Marks;
};

/** The clocks of a service that runs on several machines differ by this much, in milliseconds. */
const CLOCK_TOLERANCE = 1000;

/** The marks after an answer that ended with the entry of this ID: what is listed before it is new. */
export function marksAfter(id: string): Marks {
  return {
    times: new Map([[keyOfId(id), undefined]]),
    missing: new Map(),
    isWhole: false,
    latest: Number.NEGATIVE_INFINITY,
  };
}

/**
 * Finds what an answer brought since the marks; without marks everything is new. Entries are told apart by their IDs, never by
 * their times, so that it does not matter when an entry was stamped, and at which place of the list it appears.
 */
export function compareAnswer(marks: Marks | undefined, answer: Answer): Comparison {
  const listed = withKeys(answer.items);
  const end = marks ? endOfNews(marks, listed) : listed.length;
  const latest = marks?.latest ?? Number.NEGATIVE_INFINITY;
  const entries = listed
    .slice(0, end)
    .filter(({ key }) => !marks || !isKnown(marks, key))
    .map(({ item, time }) => ({ ...item, isLate: time !== undefined && time < latest }))
    .reverse();
  return {
    entries,
    gap: marks && findGap(marks, answer, listed),
    marks: {
      times: new Map(listed.map(({ key, time }) => [key, time])),
      missing: marks ? missingFrom(listed, marks) : new Map(),
      isWhole: answer.isWhole,
      latest: latestOf(listed, latest, answer.at),
    },
  };
}

function isKnown({ times, missing }: Marks, key: string): boolean {
  return times.has(key) || missing.has(key);
}

/** What was known and is not listed, but for entries that are older than everything that is. */
function missingFrom(listed: readonly Listed[], { times, missing }: Marks): Marks['missing'] {
  const present = new Set(listed.map(({ key }) => key));
  const oldest = listed.reduce((least, { time = least }) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const left: [string, MissingEntry][] = [];
  let above = listed.length === 0 ? [...times.keys()].at(-1) : undefined;
  for (const [key, time] of [...times].reverse()) {
    if (present.has(key)) above = key;
    else left.push([key, { time, above }]);
  }
  const mayReturn = ([key, { time, above }]: [string, MissingEntry]): boolean => {
    if (present.has(key)) return false;
    if (listed.length === 0 || (above !== undefined && present.has(above))) return true;
    return time !== undefined && time >= oldest;
  };
  return new Map([...missing, ...left.reverse()].filter(mayReturn));
}

/** Late entries are looked for this far back, in milliseconds, where the service sends its list in pages. */
const LATE_MS = 60_000;
/** Pages that are read for that alone. */
const MOST_LATE_PAGES = 10;

/** Whether page number `number` of an answer, counted from 1, reaches back far enough to tell what is new since the marks. */
export function reachesMarks(marks: Marks, page: readonly TailItem[], number: number): boolean {
  const listed = withKeys(page);
  if (endOfNews(marks, listed) < listed.length) return true;
  if (listed.some(({ key }) => !isKnown(marks, key))) return false;
  const oldest = listed.at(-1)?.time;
  return number >= MOST_LATE_PAGES || oldest === undefined || oldest < marks.latest - LATE_MS;
}

type Listed = {
  readonly key: string;
  readonly id: string | undefined;
  readonly time: number | undefined;
  readonly item: TailItem;
};

/**
 * The entries with their keys, each key once: pages that were read while entries arrived repeat some. Entries without an ID
 * are told apart by their texts and, from the oldest on, by how many have the same text.
 */
function withKeys(items: readonly TailItem[]): Listed[] {
  const keys = new Set<string>();
  const copies = new Map<string, number>();
  const listed: Listed[] = [];
  for (const item of items) {
    const { id, time } = item;
    const digest = id === undefined ? digestOf(item.text) : undefined;
    if (digest !== undefined) copies.set(digest, (copies.get(digest) ?? 0) + 1);
    const number = digest === undefined ? 0 : (copies.get(digest) ?? 0);
    const key = digest === undefined ? keyOfId(id ?? '') : `${digest} ${number}`;
    if (keys.has(key)) continue;
    keys.add(key);
    listed.push({ key, id, time, item });
  }
  // The newest of several copies is the one that may be new, so that they are counted from the oldest.
  return listed.map((entry) => {
    if (entry.id !== undefined) return entry;
    const [digest = '', number] = entry.key.split(' ');
    return { ...entry, key: `${digest} ${(copies.get(digest) ?? 0) + 1 - Number(number)}` };
  });
}

function keyOfId(id: string): string {
  return `id ${id}`;
}

function digestOf(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('base64');
}

/** How many entries of the list are not older than all that was known of it. */
function endOfNews({ times, isWhole }: Marks, listed: readonly Listed[]): number {
  if (isWhole) return listed.length;
  const [...keys] = times.keys();
  const bottom = listed.findIndex(({ key }) => key === keys.at(-1));
  return bottom === -1 ? listed.length : bottom;
}

/**
 * Two answers that follow each other without a gap overlap, and everything above the overlap is in the later one. Entries are
 * missing where they do not overlap, and where new entries have pushed known ones out at the end of the answer.
 */
function findGap(marks: Marks, answer: Answer, listed: readonly Listed[]): Gap | undefined {
  const oldest = listed.at(-1);
  // The past that follows the marks has been reached.
  if (!oldest || endOfNews(marks, listed) < listed.length) return undefined;
  const keys = [...marks.times.keys()];
  if (keys.length === 0) {
    return looksCut(answer, listed.length) ? spanOf(undefined, oldest.time) : undefined;
  }
  const known = listed.findLast(({ key }) => marks.times.has(key));
  if (!known) return spanOf(newestOf(marks), oldest.time);
  const pushedOut = known === oldest ? undefined : keys[keys.indexOf(known.key) + 1];
  return pushedOut === undefined ? undefined : spanOf(marks.times.get(pushedOut), oldest.time);
}

/** Services cut lists at round numbers: the default of the contract is 20, its most 100. */
function looksCut({ isWhole, hasCursors }: Answer, length: number): boolean {
  return isWhole && !hasCursors && length >= 20 && length % 10 === 0;
}

/** The time of the newest entry that has one. */
function newestOf({ times }: Marks): number | undefined {
  return [...times.values()].find((time) => time !== undefined);
}

/** Clocks that differ can make the earlier end the later one. */
function spanOf(from: number | undefined, to: number | undefined): Gap {
  return from !== undefined && to !== undefined && from > to ? { from: to, to: from } : { from, to };
}

function latestOf(listed: readonly Listed[], before: number, at: number): number {
  const times = listed.flatMap(({ time }) =>
    time !== undefined && time <= at + CLOCK_TOLERANCE ? [time] : [],
  );
  return times.reduce((latest, time) => Math.max(latest, time), before);
}
