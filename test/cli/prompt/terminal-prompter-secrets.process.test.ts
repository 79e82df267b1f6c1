import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/files/read-file.ts';
import { askInTerminal, type Question, screenOf } from './terminal-questions.ts';

const SECRET: readonly Question[] = [['askSecret', 'Private key']];
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
const SEC1 = privateKey.export({ type: 'sec1', format: 'pem' }).toString().trim();
const PARAMETERS = '-----BEGIN EC PARAMETERS-----\nBgUrgQQAIw==\n-----END EC PARAMETERS-----';
const CERTIFICATE = PEM.replaceAll('PRIVATE KEY', 'CERTIFICATE');

/** As terminals send what is pasted: each line ends with a carriage return. */
function pasted(text: string): string {
  return text.replaceAll('\n', '\r');
}

/** A text in pieces of a length that falls at no line end. */
function inPieces(text: string, length = 97): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? [];
}

const EMPTY_SCREEN = ['Private key (not shown):', ''];

describe('a secret', () => {
  it('is one line, and is not shown', async () => {
    const { answer, outcome, shown } = askInTerminal(SECRET);
    await answer('(not shown): ', 'eyJ.e30.s', '\r');
    expect(await outcome()).toEqual(['eyJ.e30.s']);
    expect(screenOf(await shown())).toEqual(EMPTY_SCREEN);
  });

  it('can be corrected unseen', async () => {
    const { answer, outcome, shown } = askInTerminal(SECRET);
    await answer('(not shown): ', ' secretx', '\u007f', '\u0001', '\u0005', ' \r');
    expect(await outcome()).toEqual(['secret']);
    expect(screenOf(await shown())).toEqual(EMPTY_SCREEN);
  });

  it('is not brought back by the arrow keys at the next question', async () => {
    const { answer, outcome, shown } = askInTerminal([...SECRET, ['ask', 'Name']]);
    await answer('(not shown): ', 'secret\r');
    await answer('Name: ', '\u001b[A', '\u001b[A', '\r');
    expect(await outcome()).toEqual(['secret', '']);
    expect(await shown()).not.toContain('secret');
  });

  it.each([
    ['a key', PEM, PEM],
    ['a key with white space around it', `\n${PEM}\n\n`, PEM],
    ['a key with the parameters of its curve', `${PARAMETERS}\n${SEC1}`, `${PARAMETERS}\n${SEC1}`],
    ['a key with a certificate behind it', `${PEM}\n${CERTIFICATE}`, `${PEM}\n${CERTIFICATE}`],
    [
      'a key with attributes before it',
      `Bag Attributes\n    x: y\n${PEM}`,
      `Bag Attributes\n    x: y\n${PEM}`,
    ],
    ['base64 of a key', btoa(PEM), btoa(PEM)],
    ['base64 of a key in lines', inPieces(btoa(PEM), 76).join('\n'), inPieces(btoa(PEM), 76).join('\n')],
    ['a token in lines', 'eyJ.\ne30.\ns', 'eyJ.\ne30.\ns'],
  ])('is %s that is pasted in one piece, and nothing of it is shown', async (_, text, secret) => {
    const { answer, outcome, shown } = askInTerminal(SECRET);
    await answer('(not shown): ', `${pasted(text)}\r`);
    expect(await outcome()).toEqual([secret]);
    expect(screenOf(await shown())).toEqual(EMPTY_SCREEN);
  });

  it.each([
    ['a key', PEM],
    ['a key with the parameters of its curve', `${PARAMETERS}\n${SEC1}`],
    ['a key with a certificate behind it', `${PEM}\n${CERTIFICATE}`],
    ['base64 of a key in lines', inPieces(btoa(PEM), 76).join('\n')],
  ])('is %s that is pasted in several pieces, and nothing of it is shown', async (_, text) => {
    const { answer, outcome, shown } = askInTerminal(SECRET);
    await answer('(not shown): ', ...inPieces(`${pasted(text)}\r`));
    expect(await outcome()).toEqual([text]);
    expect(screenOf(await shown())).toEqual(EMPTY_SCREEN);
  });

  it('is waited for between the lines of a key that comes slowly', async () => {
    const { answer, outcome, shown } = askInTerminal(SECRET);
    const lines = `${pasted(`${PARAMETERS}\n${SEC1}`)}\r`.split(/(?<=\r)/);
    await answer('(not shown): ', lines.slice(0, 3).join(''));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await answer('(not shown): ', lines.slice(3, 5).join(''));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await answer('(not shown): ', lines.slice(5).join(''));
    expect(await outcome()).toEqual([`${PARAMETERS}\n${SEC1}`]);
    expect(screenOf(await shown())).toEqual(EMPTY_SCREEN);
  });

  it('is whole with carriage returns and line feeds', async () => {
    const { answer, outcome } = askInTerminal(SECRET);
    await answer('(not shown): ', `${PEM.replaceAll('\n', '\r\n')}\r\n`);
    expect(await outcome()).toEqual([PEM]);
  });

  it('has more lines than one would paste by mistake', async () => {
    const { answer, outcome } = askInTerminal(SECRET);
    const text = `${'A'.repeat(60)}\n`.repeat(1000).trim();
    await answer('(not shown): ', `${pasted(text)}\r`);
    expect(await outcome()).toEqual([text]);
  });

  it('is kept to just beyond its limit, so that it is refused without taking more memory', async () => {
    const { answer, outcome } = askInTerminal(SECRET);
    await answer('(not shown): ', `${pasted(`${'A'.repeat(60)}\n`.repeat(2000).trim())}\r`);
    const length = String((await outcome())[0]).length;
    expect(length).toBeGreaterThan(LIMITS.secret);
    expect(length).toBeLessThan(LIMITS.secret + 100);
  });

  it('is waited for to the Enter of a last line that was pasted without one', async () => {
    const { answer, outcome, shown } = askInTerminal(SECRET);
    await answer('(not shown): ', 'eyJ.\re30.\rs');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await answer('(not shown): ', '\r');
    expect(await outcome()).toEqual(['eyJ.\ne30.\ns']);
    expect(screenOf(await shown())).toEqual(EMPTY_SCREEN);
  });

  it('ends at an empty line where a key is cut off', async () => {
    const { answer, outcome, shown } = askInTerminal(SECRET);
    const cut = PEM.split('\n').slice(0, 2).join('\n');
    await answer('(not shown): ', `${pasted(cut)}\r`, '\r');
    expect(await outcome()).toEqual([cut]);
    expect(screenOf(await shown())).toEqual(EMPTY_SCREEN);
  });

  it('leaves nothing to be seen where it is given up half way', async () => {
    const { answer, outcome, shown } = askInTerminal(SECRET);
    await answer('(not shown): ', pasted(PEM.slice(0, 200)), '\u0003');
    expect(await outcome()).toEqual(['AbortedError: Interrupted']);
    expect(screenOf(await shown())).toEqual(EMPTY_SCREEN);
  });

  it('is not shown on a terminal that can do nothing else either', async () => {
    const { answer, outcome, shown } = askInTerminal(SECRET, { env: { TERM: 'dumb' } });
    await answer('(not shown): ', `${pasted(PEM)}\r`);
    expect(await outcome()).toEqual([PEM]);
    expect(screenOf(await shown())).toEqual(EMPTY_SCREEN);
  });
});
