import { MASK } from '../../contract/secret-names.ts';
import { afterCharacter, codeAt, type Escapes, readEscapes, unescapeText } from './escapes.ts';

/** The secrets of one run, which are kept out of everything that is printed on stderr. */
export type Redactor = {
  /** Masks this secret from now on. A secret of fewer than 8 characters is ignored: it may be part of any word. */
  addSecret(secret: string): void;
  /**
   * The text with every run of 12 characters of a secret, or the whole of a shorter one, replaced by the mask, also
   * where JSON or a URL has escaped some of them, and in base64 or hexadecimal. Other text stays exactly as it is.
   */
  redact(text: string): string;
};

const SHORTEST_SECRET = 8;

/** A match of this many consecutive characters is not a coincidence, even in truncated text. */
const PIECE = 12;

/** The first and last line of a key in PEM: every key has them, and messages about keys quote them. */
const PEM_EDGES = /-----(?:BEGIN|END) [A-Z0-9 ]+-----/;

/** Makes a redactor that knows no secret yet. Neither method ever throws. */
export function createRedactor(): Redactor {
  const pieces: Pieces = { byLength: new Map(), starts: new Uint8Array(STARTS) };
  const secrets = new Set<string>();
  /** Those whose pieces are not known yet: most runs print nothing that could hold a secret. */
  const waiting: string[] = [];
  return {
    addSecret(secret) {
      if (!secrets.has(secret)) waiting.push(secret);
      secrets.add(secret);
    },
    redact(text) {
      for (const part of waiting.splice(0).flatMap(partsOf)) addPieces(part, pieces);
      if (pieces.byLength.size === 0) return text;
      const escapes = readEscapes(text);
      let shown = '';
      let done = 0;
      let start = 0;
      let end = 0;
      for (let index = 0; index < text.length; index += 1) {
        const pieceEnd = endOfPiece(text, index, { pieces, escapes });
        if (pieceEnd === undefined) continue;
        if (index > end) {
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

/**
 * What gives a secret away: its content, the content with its own escapes read, and the same of each part of a JWT where that is shorter
 * than a piece; the pieces of others are among those of the content.
 */
function partsOf(secret: string): string[] {
  const contents = (secret.includes('-----') ? secret.split(PEM_EDGES) : [secret]).map((part) => part.trim());
  const short = contents
    .flatMap(partsOfJwt)
    .flatMap(withEscapesRead)
    .filter(({ length }) => length < PIECE);
  const parts = new Set([...contents.flatMap(withEscapesRead), ...short]);
  return [...parts].filter((part) => part.length >= SHORTEST_SECRET).flatMap(withEncodings);
}

/** The part, and what every text has in common that holds it in hexadecimal, or in base64 at one of three places in a group of bytes. */
function withEncodings(part: string): string[] {
  const bytes = Buffer.from(part);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });
  const forUrls = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [part, hex, hex.toUpperCase(), ...base64, ...forUrls];
}

function partsOfJwt(content: string): string[] {
  const [, claims = '', signature, ...more] = content.split('.');
  return signature === undefined || more.length > 0 ? [] : [claims, signature];
}

const withEscapesRead = (part: string): string[] => [part, unescapeText(part)];

/** What secrets are found by. */
type Pieces = {
  /** By their length, which is PIECE except for those of short secrets. */
  readonly byLength: Map<number, Set<string>>;
  /** Where it is 0, no piece begins with the characters of that hash; so most of a text costs next to nothing. */
  readonly starts: Uint8Array;
};

const STARTS = 0x10000;

/** Of the first four characters of a piece. */
function hashOf(first: number, second: number, third: number, fourth: number): number {
  return (first ^ (second << 4) ^ (third << 8) ^ (fourth << 11)) & (STARTS - 1);
}

function addPieces(part: string, { byLength, starts }: Pieces): void {
  const length = Math.min(PIECE, part.length);
  const known = byLength.get(length) ?? new Set();
  byLength.set(length, known);
  for (let index = 0; index + length <= part.length; index += 1) {
    known.add(part.slice(index, index + length));
    const code = (offset: number) => part.charCodeAt(index + offset);
    starts[hashOf(code(0), code(1), code(2), code(3))] = 1;
  }
}

type Sought = { readonly pieces: Pieces; readonly escapes: Escapes | undefined };

/** The index after the longest piece that begins at `start`. */
function endOfPiece(text: string, start: number, { pieces, escapes }: Sought): number | undefined {
  const code = (offset: number) => text.charCodeAt(start + offset);
  let longest: number | undefined;
  if (pieces.starts[hashOf(code(0), code(1), code(2), code(3))]) {
    for (const [length, known] of pieces.byLength) {
      const end = start + length;
      if (end > (longest ?? 0) && known.has(text.slice(start, end))) longest = end;
    }
  }
  if (!escapes || !pieces.starts[hashOfRead(text, start, escapes)]) return longest;
  for (const [length, known] of pieces.byLength) {
    const { characters, end } = read(text, start, { length, escapes });
    if (end > (longest ?? 0) && known.has(characters)) longest = end;
  }
  return longest;
}

function hashOfRead(text: string, start: number, escapes: Escapes): number {
  const second = afterCharacter(start, escapes);
  const third = afterCharacter(second, escapes);
  const code = (index: number) => codeAt(text, index, escapes);
  return hashOf(code(start), code(second), code(third), code(afterCharacter(third, escapes)));
}

/** Reads `length` characters from `start`, each escape counted as the character that it stands for. */
function read(text: string, start: number, { length, escapes }: { length: number; escapes: Escapes }) {
  const codes: number[] = [];
  let end = start;
  while (codes.length < length && end < text.length) {
    codes.push(codeAt(text, end, escapes));
    end = afterCharacter(end, escapes);
  }
  return { characters: String.fromCharCode(...codes), end };
}
