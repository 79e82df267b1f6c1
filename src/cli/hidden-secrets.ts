import { REDACTED } from './redact.ts';

/** The secrets of one run, and how they are kept out of what a person reads. */
export type HiddenSecrets = {
  /** From now on nothing of this secret is shown; one of fewer than 8 characters is not heeded. */
  add(secret: string): void;
  /**
   * The text with every run of 12 characters of a secret, or the whole of a shorter one, replaced by `[redacted]`, also
   * where JSON or a URL has escaped some of them. Other text stays exactly as it is.
   */
  in(text: string): string;
};

/** A token that is shorter than this is one that somebody made up to try things, and may be part of any word. */
const SHORTEST_SECRET = 8;

/** So many characters in a row are no coincidence, wherever a text was cut. */
const PIECE = 12;

/** What stands around the content of a key in PEM: it is in every key, and in what is said of keys. */
const PEM_EDGES = /-----(?:BEGIN|END) [A-Z0-9 ]+-----/;

/** A character as JSON or a URL writes it; inside of another such text it may have been escaped again. */
const ESCAPED = /\\{1,8}(?:u([0-9A-Fa-f]{4})|([/"nrt]))|%(?:25){0,4}([0-9A-Fa-f]{2})/y;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Characters by the place where their escape begins, and the place behind it. */
type Escapes = ReadonlyMap<number, { readonly character: string; readonly end: number }>;

/** Knows no secret at first. Neither member ever throws. */
export function createHiddenSecrets(): HiddenSecrets {
  /** By their length, which is PIECE but for those of short secrets. */
  const pieces = new Map<number, Set<string>>();
  let latest: string | undefined;
  return {
    add(secret) {
      // The token of every page of a long list is the same one.
      if (secret === latest) return;
      latest = secret;
      for (const part of partsOf(secret)) addPieces(part, pieces);
    },
    in(text) {
      if (pieces.size === 0) return text;
      const escapes = findEscapes(text);
      let shown = '';
      let done = 0;
      let start = 0;
      let end = 0;
      for (let place = 0; place < text.length; place += 1) {
        const reach = reachOf(text, place, { pieces, escapes });
        if (reach === undefined) continue;
        if (place > end || end === 0) {
          shown += end === 0 ? '' : text.slice(done, start) + REDACTED;
          done = end;
          start = place;
        }
        end = Math.max(end, reach);
      }
      return end === 0 ? text : shown + text.slice(done, start) + REDACTED + text.slice(end);
    },
  };
}

/** What gives a secret away: its content, that without escapes of its own, and each part of a JWT. */
function partsOf(secret: string): string[] {
  const contents = secret.split(PEM_EDGES).map((part) => part.trim());
  const parts = contents.flatMap((content) => {
    const [, claims = '', signature, ...more] = content.split('.');
    return signature === undefined || more.length > 0 ? [content] : [content, claims, signature];
  });
  return [...parts, ...parts.map(withoutEscapes)].filter((part) => part.length >= SHORTEST_SECRET);
}

function addPieces(part: string, pieces: Map<number, Set<string>>): void {
  const length = Math.min(PIECE, part.length);
  const known = pieces.get(length) ?? new Set();
  pieces.set(length, known);
  for (let place = 0; place + length <= part.length; place += 1) known.add(part.slice(place, place + length));
}

/** The place behind the longest piece that begins here. */
function reachOf(
  text: string,
  place: number,
  { pieces, escapes }: { pieces: ReadonlyMap<number, ReadonlySet<string>>; escapes: Escapes },
): number | undefined {
  let reach: number | undefined;
  for (const [length, known] of pieces) {
    const plain = known.has(text.slice(place, place + length)) ? place + length : 0;
    const unescaped = escapes.size === 0 ? undefined : read(text, place, { length, escapes });
    const end = Math.max(plain, unescaped && known.has(unescaped.characters) ? unescaped.end : 0);
    if (end > (reach ?? 0)) reach = end;
  }
  return reach;
}

/** So many characters from here, each escape counted as the character that it stands for. */
function read(text: string, place: number, { length, escapes }: { length: number; escapes: Escapes }) {
  let characters = '';
  let end = place;
  while (characters.length < length && end < text.length) {
    const escaped = escapes.get(end);
    characters += escaped?.character ?? text.charAt(end);
    end = escaped?.end ?? end + 1;
  }
  return { characters, end };
}

function findEscapes(text: string): Escapes {
  const escapes = new Map<number, { character: string; end: number }>();
  for (const { index } of text.matchAll(/[\\%]/g)) {
    ESCAPED.lastIndex = index;
    const [all = '', unicode, short, byte] = ESCAPED.exec(text) ?? [];
    if (all === '') continue;
    const code = unicode ?? byte;
    const character =
      code === undefined
        ? (SHORT_ESCAPES[short ?? ''] ?? short ?? '')
        : String.fromCharCode(Number.parseInt(code, 16));
    escapes.set(index, { character, end: index + all.length });
  }
  return escapes;
}

function withoutEscapes(text: string): string {
  return read(text, 0, { length: text.length, escapes: findEscapes(text) }).characters;
}
