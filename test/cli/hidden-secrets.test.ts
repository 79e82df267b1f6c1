import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHiddenSecrets } from '../../src/cli/hidden-secrets.ts';

const TOKEN = 'eyJhbGciOiJFUzUxMiJ9.eyJpc3MiOiJhY21lIn0.c2ln+bmF0dXJl/b2Y=';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=';

/** How a character may come back: as it is, and as JSON and URLs write it, once or twice. */
const WRITINGS: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => `\\u${hex(character).padStart(4, '0')}`,
  (character) => `\\u${hex(character).padStart(4, '0').toUpperCase()}`,
  (character) => `\\\\u${hex(character).padStart(4, '0')}`,
  (character) => `%${hex(character)}`,
  (character) => `%${hex(character).toUpperCase()}`,
  (character) => `%25${hex(character)}`,
  (character) => (character === '/' ? '\\/' : character),
];

/** Secrets of the alphabet of tokens. */
const secrets = fc.string({
  unit: fc.constantFrom(...ALPHABET),
  minLength: 12,
  maxLength: 200,
});

/** Text that shares no character with a token, but may look like the beginning of an escape. */
const surroundings = fc.string({
  unit: fc.constantFrom(' ', '"', '{', 'é', '💳', '\n', '\\', '%'),
  maxLength: 30,
});

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}

function hiding(...hidden: string[]) {
  const all = createHiddenSecrets();
  for (const secret of hidden) all.add(secret);
  return all;
}

describe('hidden secrets', () => {
  it.each([
    ['whole', `a ${TOKEN} b`, 'a [redacted] b'],
    ['twice', `${TOKEN} ${TOKEN}`, '[redacted] [redacted]'],
    ['cut at its end', `a ${TOKEN.slice(0, 12)}... b`, 'a [redacted]... b'],
    ['cut at its beginning', `a ...${TOKEN.slice(-12)} b`, 'a ...[redacted] b'],
    ['cut on both sides', `"${TOKEN.slice(7, 30)}"`, '"[redacted]"'],
    ['as its claims', 'eyJpc3MiOiJhY21lIn0', '[redacted]'],
    ['as its signature', 'c2ln+bmF0dXJl/b2Y=', '[redacted]'],
    ['with \\/', `"${TOKEN.replaceAll('/', '\\/')}"`, '"[redacted]"'],
    ['with \\u002b', `"${TOKEN.replaceAll('+', '\\u002b')}"`, '"[redacted]"'],
    ['with \\u002B', `"${TOKEN.replaceAll('+', '\\u002B')}"`, '"[redacted]"'],
    ['with \\u003d', `"${TOKEN.replaceAll('=', '\\u003d')}"`, '"[redacted]"'],
    ['in a URL', `?t=${encodeURIComponent(TOKEN)}&a=%2B`, '?t=[redacted]&a=%2B'],
    ['in a URL in a URL', `?t=${encodeURIComponent(encodeURIComponent(TOKEN))}`, '?t=[redacted]'],
    [
      'in JSON in JSON',
      JSON.stringify(`{"t":"${TOKEN.replaceAll('/', '\\/')}"}`),
      '"{\\"t\\":\\"[redacted]\\"}"',
    ],
  ])('are replaced where one stands %s', (_, text, shown) => {
    expect(hiding(TOKEN).in(text)).toBe(shown);
  });

  it.each([
    ['fewer than 12 characters of it', `a ${TOKEN.slice(0, 11)} ${TOKEN.slice(-11)} b`],
    ['the characters of it with others between', [...TOKEN].join(' ')],
    ['escapes of other characters', '\\u0041 \\/ \\n %41 % \\ \\u %2 \\u00'],
    ['nothing', ''],
  ])('leave a text as it is that holds %s', (_, text) => {
    expect(hiding(TOKEN).in(text)).toBe(text);
  });

  it('are heeded from 8 characters on, and replaced whole only below 12', () => {
    const hidden = hiding('1234567', 'abcdefgh', '');
    expect(hidden.in('1234567 abcdefgh abcdefg a%62cdefgh')).toBe('1234567 [redacted] abcdefg [redacted]');
  });

  it('have parts of their own where they are a JWT: claims and a signature of 8 characters', () => {
    const hidden = hiding('eyJhbGciOiJub25lIn0.e30xxxxx.c2lnbmVk');
    expect(hidden.in('e30xxxxx c2lnbmVk e30xxxx')).toBe('[redacted] [redacted] e30xxxx');
    expect(hiding('a.b.token-ab.token-cd').in('token-ab token-cd')).toBe('token-ab token-cd');
  });

  it('overlap and touch without leaving anything', () => {
    const hidden = hiding('abcdefghijklmno', 'jklmnopqrstuvwx', 'ABCDEFGH');
    expect(hidden.in('<abcdefghijklmnopqrstuvwxABCDEFGH>')).toBe('<[redacted]>');
  });

  it('are found behind what looks like their beginning', () => {
    const hidden = hiding(`${'ab'.repeat(10)}-end-of-it`);
    expect(hidden.in(`ab${'ab'.repeat(10)}-end-of-it!`)).toBe('[redacted]!');
  });

  it('show of a key in PEM the edges only, however its lines end', () => {
    const line = 'MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIA';
    const pem = `-----BEGIN PRIVATE KEY-----\n${line}\nQUJD\n-----END PRIVATE KEY-----\n`;
    const shown = '-----BEGIN PRIVATE KEY-----';
    expect(hiding(pem).in(`It begins with ${shown}.`)).toBe(`It begins with ${shown}.`);
    for (const end of ['\n', '\\n', '\\u000a', '%0A']) {
      expect(hiding(pem).in(pem.replaceAll('\n', end))).not.toContain(line.slice(0, 12));
      expect(hiding(pem).in(pem.replaceAll('\n', end))).not.toContain('QUJD');
    }
  });

  it.each([
    ['in a URL', 'abc%2Bdefghijklmn', encodeURIComponent],
    ['in JSON', 'abc\\u0041def\\/ghijkl', JSON.stringify],
  ])('are found where they hold escapes themselves, also %s', (_, secret, write) => {
    expect(hiding(secret).in(`<${secret}>`)).toBe('<[redacted]>');
    expect(hiding(secret).in(`<${write(secret)}>`)).toMatch(/^<"?\[redacted\]"?>$/);
  });

  it('leave no 12 characters of any token, wherever it was cut and however it was escaped', () => {
    const writing = fc.array(fc.nat(WRITINGS.length - 1), { minLength: 1, maxLength: 40 });
    const cut = fc.tuple(fc.nat(188), fc.integer({ min: 12, max: 200 }));
    fc.assert(
      fc.property(
        secrets,
        cut,
        writing,
        surroundings,
        surroundings,
        (secret, [at, length], ways, before, after) => {
          const start = Math.min(at, secret.length - 12);
          const piece = [...secret.slice(start, start + length)];
          const written = piece.map((char, index) => WRITINGS[ways[index % ways.length] ?? 0]?.(char) ?? '');
          const shown = hiding(secret).in(`${before} ${written.join('')} ${after}`);
          expect(shown).toBe(`${before} [redacted] ${after}`);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('are replaced directly behind any text, of which at most the beginning of an escape goes with them', () => {
    fc.assert(
      fc.property(secrets, surroundings, (secret, before) => {
        const shown = hiding(secret).in(`${before}${secret}`);
        expect(shown).toMatch(/\[redacted\]$/);
        expect(before.replace(/[\\%]+$/, '')).toBe(
          shown.slice(0, -'[redacted]'.length).replace(/[\\%]+$/, ''),
        );
      }),
    );
  });

  it('leave every text as it is that holds none of them', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'abc/\\%u0"25 n'), maxLength: 300 });
    fc.assert(
      fc.property(texts, (text) => {
        expect(hiding('XYZ-0123456789', 'ZZZZZZZZ').in(text)).toBe(text);
      }),
    );
  });

  it('never throw', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 100 });
    fc.assert(
      fc.property(fc.array(anything), anything, (hidden, text) => {
        expect(typeof hiding(...hidden).in(text + hidden.join('%'))).toBe('string');
      }),
    );
  });

  it.each([
    ['plain text', 'a'],
    ['backslashes', '\\'],
    ['per cent signs', '%25'],
    ['beginnings of it', 'aaaaaaaaaaab'],
  ])('are looked for in a megabyte within seconds: %s', (_, unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    const begin = performance.now();
    expect(hiding(`${'a'.repeat(3_000)}c`, TOKEN).in(text)).toBe(unit === 'a' ? '[redacted]' : text);
    expect(performance.now() - begin).toBeLessThan(5_000);
  });
});
