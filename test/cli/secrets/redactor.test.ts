import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/cli/secrets/redactor.ts';
import { anyText } from '../../harness/any-text.ts';
import { growthOf, LINEAR } from '../../harness/growth.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

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
  (character) => `&#x${hex(character)};`,
  (character) => `&#${character.charCodeAt(0)};`,
];

/** Secrets of the alphabet of tokens. */
const secrets = fc.string({
  unit: fc.constantFrom(...ALPHABET),
  minLength: 12,
  maxLength: 200,
});

/** Text that shares no character with a token, but may look like the beginning of an escape. */
const surroundings = fc.string({
  unit: fc.constantFrom(' ', '"', '{', 'é', '💳', '\n', '\\', '%', '&', '&#'),
  maxLength: 30,
});

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}

function redactorOf(...secrets: string[]) {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.addSecret(secret);
  return redactor;
}

describe('known secrets', () => {
  it.each([
    ['whole', `a ${TOKEN} b`, 'a ******** b'],
    ['twice', `${TOKEN} ${TOKEN}`, '******** ********'],
    ['cut at its end', `a ${TOKEN.slice(0, 12)}... b`, 'a ********... b'],
    ['cut at its beginning', `a ...${TOKEN.slice(-12)} b`, 'a ...******** b'],
    ['cut on both sides', `"${TOKEN.slice(7, 30)}"`, '"********"'],
    ['as its claims', 'eyJpc3MiOiJhY21lIn0', '********'],
    ['as its signature', 'c2ln+bmF0dXJl/b2Y=', '********'],
    ['with \\/', `"${TOKEN.replaceAll('/', '\\/')}"`, '"********"'],
    ['with \\u002b', `"${TOKEN.replaceAll('+', '\\u002b')}"`, '"********"'],
    ['with \\u002B', `"${TOKEN.replaceAll('+', '\\u002B')}"`, '"********"'],
    ['with \\u003d', `"${TOKEN.replaceAll('=', '\\u003d')}"`, '"********"'],
    ['in a URL', `?t=${encodeURIComponent(TOKEN)}&a=%2B`, '?t=********&a=%2B'],
    ['in a URL in a URL', `?t=${encodeURIComponent(encodeURIComponent(TOKEN))}`, '?t=********'],
    [
      'in JSON in JSON',
      JSON.stringify(`{"t":"${TOKEN.replaceAll('/', '\\/')}"}`),
      '"{\\"t\\":\\"********\\"}"',
    ],
  ])('are masked %s', (_, text, shown) => {
    expect(redactorOf(TOKEN).redact(text)).toBe(shown);
  });

  it('are masked in HTML', () => {
    const page = '<p>Who is a&amp;B&lt;c&gt;D&QUOT;e&apos;f&#39;G &amp; co&amp;</p>';
    expect(redactorOf(`a&B<c>D"e'f'G`).redact(page)).toBe('<p>Who is ******** &amp; co&amp;</p>');
  });

  it.each([
    ['fewer than 12 characters of it', `a ${TOKEN.slice(0, 11)} ${TOKEN.slice(-11)} b`],
    ['the characters of it with others between', [...TOKEN].join(' ')],
    ['escapes of other characters', '\\u0041 \\/ \\n %41 % \\ \\u %2 \\u00'],
    ['nothing', ''],
  ])('leave a text as it is that holds %s', (_, text) => {
    expect(redactorOf(TOKEN).redact(text)).toBe(text);
  });

  it('are masked from 8 characters on, and as a whole only below 12', () => {
    const redactor = redactorOf('1234567', 'abcdefgh', '');
    expect(redactor.redact('1234567 abcdefgh abcdefg a%62cdefgh')).toBe('1234567 ******** abcdefg ********');
  });

  it('have parts of their own where they are a JWT: claims and a signature of 8 characters', () => {
    const redactor = redactorOf('eyJhbGciOiJub25lIn0.e30xxxxx.c2lnbmVk');
    expect(redactor.redact('e30xxxxx c2lnbmVk e30xxxx')).toBe('******** ******** e30xxxx');
    expect(redactorOf('a.b.token-ab.token-cd').redact('token-ab token-cd')).toBe('token-ab token-cd');
  });

  it('are known without the white space around them, as files end with a line end', () => {
    expect(redactorOf('  abcdefgh\n', '\tABCDEFGHIJKLM \r\n').redact('<abcdefgh ABCDEFGHIJKLM>')).toBe(
      '<******** ********>',
    );
  });

  it.each([
    ['before', ['abcdefgh', 'abcdefghijkl']],
    ['after', ['abcdefghijkl', 'abcdefgh']],
  ])(
    'are masked whole where one is the beginning of another that was added %s',
    (_, [one = '', other = '']) => {
      const redactor = redactorOf(one, other);
      expect(redactor.redact('<abcdefghijkl>')).toBe('<********>');
      expect(redactor.redact('<\\u0061bcdefghijkl>')).toBe('<********>');
      expect(redactor.redact('<abcdefghi>')).toBe('<********i>');
    },
  );

  it('are masked at the beginning and at the end of a text', () => {
    const redactor = redactorOf('abcdefgh');
    expect(redactor.redact('abcdefgh-abcdefgh')).toBe('********-********');
    expect(redactor.redact('abcdefgh')).toBe('********');
  });

  it('overlap and touch without leaving anything', () => {
    const redactor = redactorOf('abcdefghijklmno', 'jklmnopqrstuvwx', 'ABCDEFGH');
    expect(redactor.redact('<abcdefghijklmnopqrstuvwxABCDEFGH>')).toBe('<********>');
  });

  it('are found after what looks like their beginning', () => {
    const redactor = redactorOf(`${'ab'.repeat(10)}-end-of-it`);
    expect(redactor.redact(`ab${'ab'.repeat(10)}-end-of-it!`)).toBe('********!');
  });

  it('show of a key in PEM the edges only, however its lines end', () => {
    const line = 'MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIA';
    const pem = `-----BEGIN PRIVATE KEY-----\n${line}\nQUJD\n-----END PRIVATE KEY-----\n`;
    const shown = '-----BEGIN PRIVATE KEY-----';
    expect(redactorOf(pem).redact(`It begins with ${shown}.`)).toBe(`It begins with ${shown}.`);
    for (const end of ['\n', '\\n', '\\u000a', '%0A']) {
      expect(redactorOf(pem).redact(pem.replaceAll('\n', end))).not.toContain(line.slice(0, 12));
      expect(redactorOf(pem).redact(pem.replaceAll('\n', end))).not.toContain('QUJD');
    }
  });

  it.each([
    ['in a URL', 'abc%2Bdefghijklmn', encodeURIComponent],
    ['in JSON', 'abc\\u0041def\\/ghijkl', JSON.stringify],
  ])('are found where they hold escapes themselves, also %s', (_, secret, write) => {
    expect(redactorOf(secret).redact(`<${secret}>`)).toBe('<********>');
    expect(redactorOf(secret).redact(`<${write(secret)}>`)).toMatch(/^<"?\*{8}"?>$/);
  });

  it('are masked in base64, base64url and hexadecimal, anywhere in a longer text, also escaped', () => {
    const asJson = (text: string) => text.replaceAll('/', '\\/').replaceAll('+', '\\u002b');
    const ways = [
      ['base64', 6, (text: string) => text],
      ['base64', 6, encodeURIComponent],
      ['base64', 6, asJson],
      ['base64url', 6, (text: string) => text],
      ['hex', 4, (text: string) => text],
      ['hex', 4, (text: string) => text.toUpperCase()],
    ] as const;
    const anySecret = fc.string({
      unit: fc.constantFrom(...ALPHABET, '?', '>'),
      minLength: 8,
      maxLength: 60,
    });
    const around = fc.string({ unit: fc.constantFrom('u', ':', '{', '"'), maxLength: 12 });
    fc.assert(
      fc.property(anySecret, around, around, fc.constantFrom(...ways), (secret, before, after, way) => {
        const [encoding, bits, write] = way;
        const text = Buffer.from(before + secret + after).toString(encoding);
        // The characters that have bits of the secret alone.
        const start = Math.ceil((before.length * 8) / bits);
        const end = Math.floor(((before.length + secret.length) * 8) / bits);
        const expected = `<${write(text.slice(0, start))}********${write(text.slice(end))}>`;
        expect(redactorOf(secret).redact(`<${write(text)}>`)).toBe(expected);
      }),
      propertyRuns(1_000),
    );
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
          const shown = redactorOf(secret).redact(`${before} ${written.join('')} ${after}`);
          expect(shown).toBe(`${before} ******** ${after}`);
        },
      ),
      propertyRuns(1_000),
    );
  });

  it('are masked directly after any text, of which at most the beginning of an escape goes with them', () => {
    fc.assert(
      fc.property(secrets, surroundings, (secret, before) => {
        const shown = redactorOf(secret).redact(`${before}${secret}`);
        expect(shown).toMatch(/\*{8}$/);
        expect(before.replace(/[\\%]+$/, '')).toBe(shown.slice(0, -'********'.length).replace(/[\\%]+$/, ''));
      }),
    );
  });

  it('leave every text as it is that holds none of them', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'abc/\\%u0"25 n'), maxLength: 300 });
    fc.assert(
      fc.property(texts, (text) => {
        expect(redactorOf('XYZ-0123456789', 'ZZZZZZZZ').redact(text)).toBe(text);
      }),
    );
  });

  it('never throw', { tags: 'slow' }, () => {
    const anything = anyText(100);
    fc.assert(
      fc.property(fc.array(anything), anything, (hidden, text) => {
        expect(typeof redactorOf(...hidden).redact(text + hidden.join('%'))).toBe('string');
      }),
    );
  });

  it.each([
    ['plain text', 'a'],
    ['backslashes', '\\'],
    ['per cent signs', '%25'],
    ['beginnings of it', 'aaaaaaaaaaab'],
  ])('are looked for in time that grows with the text alone: %s', { tags: 'slow' }, async (_, unit) => {
    const redactor = redactorOf(`${'a'.repeat(3_000)}c`, TOKEN);
    const texts = new Map([10_000, 80_000].map((size) => [size, unit.repeat(size / unit.length)]));
    const longest = texts.get(80_000) ?? '';
    expect(redactor.redact(longest)).toBe(unit === 'a' ? '********' : longest);
    expect(await growthOf((size) => redactor.redact(texts.get(size) ?? ''), 10_000)).toBeLessThan(LINEAR);
  });
});
