import { beforeEach, describe, expect, it } from 'vitest';
import { serviceForAll } from './service-for-all.ts';

const MEGABYTE = 1_000_000;

let body: string;
let headers: Record<string, string>;
const service = serviceForAll(() => ({ status: 400, headers, body }));
beforeEach(() => {
  headers = {};
});

const errorWith = (members: object) =>
  JSON.stringify({ type: 'error', code: 'bad_request', status: 400, ...members });
const run = (...argv: string[]) =>
  service.run(['roles', 'list', ...argv], { env: { PAYCTL_TOKEN: 'a-token-of-this-run' } });

describe.each([['table'], ['json']])('an error that is far too long, beside %s', (format) => {
  it.each([
    [
      'a message of escapes',
      () => errorWith({ message: '\u001b'.repeat(MEGABYTE / 2) }),
      /\.\.\. \(498\.0 kB more\)/,
    ],
    [
      'a message of backslashes',
      () => errorWith({ message: '\\'.repeat(MEGABYTE / 2) }),
      /\(498\.0 kB more\)/,
    ],
    [
      'many details',
      () => errorWith({ message: 'x', details: Array.from({ length: 50_000 }, () => ({ message: 'd' })) }),
      /\.\.\. \(49950 more\)/,
    ],
    [
      'a pointer',
      () => errorWith({ message: 'x', details: [{ pointer: '/a'.repeat(MEGABYTE / 2), message: 'd' }] }),
      /\(998\.0 kB more\)/,
    ],
    ['a code', () => errorWith({ message: 'x', code: 'c'.repeat(MEGABYTE) }), /\(998\.0 kB more\)/],
    [
      'a record in conflict',
      () => errorWith({ message: 'x', resource_id: 'c'.repeat(MEGABYTE) }),
      /\(998\.0 kB more\)/,
    ],
    [
      'a validation error',
      () => JSON.stringify({ detail: [{ loc: ['body'], msg: 'm'.repeat(MEGABYTE) }] }),
      /\(998\.0 kB more\)/,
    ],
  ])('is bounded, and says how much is left out: %s', async (_, makeBody, note) => {
    body = makeBody();
    const { stdout, stderr, code } = await run('-o', format);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr.length).toBeLessThan(30_000);
    expect(stderr).toMatch(note);
    if (format === 'json') expect(JSON.parse(stderr)).toHaveProperty('error.exit_code', 6);
  });

  it('is bounded where it is the ID of a request', async () => {
    body = errorWith({ message: 'x' });
    headers = { 'x-request-id': 'r'.repeat(10_000) };
    const { stderr } = await run('-o', format);
    expect(stderr).toContain('rrr... (8.0 kB more)');
    expect(stderr.length).toBeLessThan(4000);
  });

  it('shows no secret of a body that is no error object', async () => {
    const secret = 's3cr3t'.repeat(2_000_000);
    for (const text of [
      `{"a":1,"secret":"${secret}"}`,
      `{"client_secret":["${secret.slice(0, MEGABYTE)}"`,
      `{"s\\u0065cret":"s3cr3t"}`,
    ]) {
      body = text;
      const { stderr, code } = await run('-o', format, '-v');
      expect(code).toBe(6);
      expect(stderr).not.toContain('s3cr3t');
      expect(stderr).toContain('********');
    }
  });
});
