import { describe, expect, it } from 'vitest';
import { lines } from '../../harness/lines.ts';
import { succeeded } from '../../harness/outcome.ts';
import { against, buyer, page, serve } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';

const { useHome } = quickHomes();

const home = useHome();
const NAMES = ['buyers', 'list', '--columns', 'display_name,id'];

/** Clears the screen, sets the title, forges a column and a row, turns the reading direction, ends the string. */
const HOSTILE = '\u001b[2J\u001b]0;title\u0007a\tb\nc\r\u009b31m\u202egnp.exe\u2028\u0000\u200bend';
const SHOWN = '␛[2J␛]0;title␇a␉b␊c␍<U+009B>31m<U+202E>gnp.exe<U+2028>␀<U+200B>end';
/** Controls, invisible format characters, line separators. */
const DANGEROUS = /[\p{Cc}\p{Cf}\u2028]/u;
const LONG = 'x'.repeat(1 << 20);

const serveHostile = () =>
  serve((_, response) => {
    const names = [HOSTILE, '=HYPERLINK("http://evil.example")', LONG];
    response.end(JSON.stringify(page(names.map((name, at) => buyer(at + 1, { display_name: name })))));
  });
const id = (number: number) => String(buyer(number).id);

describe('hostile text of the service', () => {
  it('is replaced visibly in the aligned table, which stays one row each', async () => {
    const server = await serveHostile();
    const run = await home.payctl([...NAMES, '--no-color'], {
      env: against(server),
      terminal: { columns: 120 },
    });
    const row = (name: string, number: number) => `${name.padEnd(82)}  ${id(number)}`;
    expect(run).toEqual(
      succeeded(
        lines(
          `${'NAME'.padEnd(82)}  ID`,
          row(SHOWN, 1),
          row('=HYPERLINK("http://evil.example")', 2),
          row(`${'x'.repeat(81)}…`, 3),
        ),
      ),
    );
  });

  it.each(['json', 'ndjson'])(
    'keeps its true value in %s, with nothing raw that a terminal obeys',
    async (format) => {
      const server = await serveHostile();
      const run = await home.payctl(['buyers', 'list', '-o', format], { env: against(server) });
      const [first = '{}'] = run.stdout.split('\n');
      const parsed = JSON.parse(first);
      expect((format === 'json' ? parsed.items[0] : parsed).display_name).toBe(HOSTILE);
      expect(run.stdout.replaceAll('\n', '')).not.toMatch(DANGEROUS);
    },
  );

  it('is replaced in error messages too', async () => {
    const body = { type: 'error', code: 'bad_request', status: 400, message: HOSTILE, details: [] };
    const server = await serve((_, response) => void response.writeHead(400).end(JSON.stringify(body)));
    const human = await home.payctl(['buyers', 'list'], { env: against(server) });
    expect(human.stderr.split('\n')[0]).toBe(`Error: ${SHOWN} (400 bad_request)`);
    const json = await home.payctl(['buyers', 'list', '--json'], { env: against(server) });
    expect(JSON.parse(json.stderr).error.message).toBe(HOSTILE);
    expect(json.stderr.trimEnd()).not.toMatch(DANGEROUS);
  });
});
