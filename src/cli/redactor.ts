import { MASK } from './secret-names.ts';

/** The secrets of one run, which are kept out of everything that is printed on stderr. */
export type Redactor = {
  /** Masks this secret from now on. A secret of fewer than 8 characters is ignored: it may be part of any word. */
  addSecret(secret: string): void;
  /**
   * The text with every run of 12 characters of a secret, or the whole of a shorter one, replaced by the mask, also
   * where JSON or a URL has escaped some of them. Other text stays exactly as it is.
   */
  redact(text: string): string;
};

const SHORTEST_SECRET = 8;

/** A match of this many consecutive characters is not a coincidence, even in truncated text. */
const PIECE = 12;

/** The first and last line of a key in PEM: every key has them, and messages about keys quote them. */
const PEM_EDGES = /-----(?:BEGIN|END) [A-Z0-9 ]+-----/;

/** A character as JSON or a URL writes it; inside of another such text it may have been escaped again. */
const ESCAPED = /\\{1,8}(?:u([0-9A-Fa-f]{4})|([/"nrt]))|%(?:25){0,4}([0-9A-Fa-f]{2})/y;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Characters by the index at which their escape begins, with the index after it. */
type Escapes = ReadonlyMap<number, { readonly character: string; readonly end: number }>;

/** Makes a redactor that knows no secret yet. Neither method ever throws. */
export function createRedactor(): Redactor {
  /** By their length, which is PIECE except for those of short secrets. */
  const pieces = new Map<number, Set<string>>();
  let latest: string | undefined;
  return {
    addSecret(secret) {
      // The token of every page of a long list is the same one.
      if (secret === latest) return;
      latest = secret;
      for (const part of partsOf(secret)) addPieces(part, pieces);
    },
    redact(text) {
      if (pieces.size === 0) return text;
      const escapes = findEscapes(text);
      let shown = '';
      let done = 0;
      let start = 0;
      let end = 0;
      for (let index = 0; index < text.length; index += 1) {
        const pieceEnd = endOfPiece(text, index, { pieces, escapes });
        if (pieceEnd === undefined) continue;
        if (index > end || end === 0) {
          shown += end === 0 ? '' : text.slice(done, start) + MASK;
          done = end;
          start = index;
        }
        end = Math.max(end, pieceEnd);
      }
      return end === 0 ? text : shown + text.slice(done, start) + MASK + text.slice(end);
    },
  };
}

/** What gives a secret away: its content, the content with its own escapes read, and each part of a JWT. */
function partsOf(secret: string): string[] {
  const contents = secret.split(PEM_EDGES).map((part) => part.trim());
  const parts = contents.flatMap((content) => {
    const [, claims = '', signature, ...more] = content.split('.');
    return signature === undefined || more.length > 0 ? [content] : [content, claims, signature];
  });
  return [...parts, ...parts.map(unescapeText)].filter((part) => part.length >= SHORTEST_SECRET);
}

function addPieces(part: string, pieces: Map<number, Set<string>>): void {
  const length = Math.min(PIECE, part.length);
  const known = pieces.get(length) ?? new Set();
  pieces.set(length, known);
  for (let index = 0; index + length <= part.length; index += 1) known.add(part.slice(index, index + length));
}

/** The index after the longest piece that begins at `start`. */
function endOfPiece(
  text: string,
  start: number,
  { pieces, escapes }: { pieces: ReadonlyMap<number, ReadonlySet<string>>; escapes: Escapes },
): number | undefined {
  let longest: number | undefined;
  for (const [length, known] of pieces) {
    const plain = known.has(text.slice(start, start + length)) ? start + length : 0;
    const unescaped = escapes.size === 0 ? undefined : read(text, start, { length, escapes });
    const end = Math.max(plain, unescaped && known.has(unescaped.characters) ? unescaped.end : 0);
    if (end > (longest ?? 0)) longest = end;
  }
  return longest;
}

/** Reads `length` characters from `start`, each escape counted as the character that it stands for. */
function read(text: string, start: number, { length, escapes }: { length: number; escapes: Escapes }) {
  let characters = '';
  let end = start;
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

function unescapeText(text: string): string {
  return read(text, 0, { length: text.length, escapes: findEscapes(text) }).characters;
}
