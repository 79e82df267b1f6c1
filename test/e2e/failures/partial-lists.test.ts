import { describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import type { Handler } from '../../harness/http-server.ts';
import { lines } from '../../harness/lines.ts';
import { printedError, WORDS } from '../../harness/printed-error.ts';
import { against, buyer, page, serve, serveBuyers } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';

const { useHome } = quickHomes();

const home = useHome();
const ALL = ['buyers', 'list', '--all', '--limit', '2'];
const REFUSED = '{"type":"error","code":"bad_request","status":400,"message":"Generic error","details":[]}';
const refuse: Handler = (_, response) => void response.writeHead(400).end(REFUSED);
/** The message of the service, and how much was printed before. */
const MESSAGE = expect.stringMatching(/^Generic error; .*2 pages \(4 items\)/);

const CAUSE =
  'the request breaks a rule that the service does not name; compare the request with the description of the operation';

/** Ids of buyers by number. */
const ids = (...numbers: number[]) => numbers.map((number) => String(buyer(number).id));

describe('a run that fails on its third page', () => {
  it('has printed pages 1 and 2, and says how to resume', async () => {
    const server = await serveBuyers(7, { 3: refuse });
    const run = await home.payctl([...ALL, '--columns', 'id'], { env: against(server) });
    expect(run).toMatchObject({ stdout: lines('ID', ...ids(1, 2, 3, 4)), code: 6, signal: null });
    expect(printedError(run.stderr)).toEqual({
      code: 'bad_request',
      status: 400,
      message: MESSAGE,
      causes: [CAUSE],
      request: [`GET ${server.origin}/buyers?cursor=from-4&limit=2`],
      resume: ['payctl buyers list --all --limit 2 --columns id --no-header --cursor from-4'],
      hints: ['Append the output of the resume command with >>.'],
    });
  });

  it.each(['csv', 'table', 'markdown'])('has one header, however often it is resumed: %s', async (format) => {
    const list = ['buyers', 'list', '--all', '--limit', '2', '-o', format];
    const server = await serveBuyers(7, { 2: refuse, 4: refuse });
    let printed = '';
    let code: number | null = -1;
    for (let argv: string[] | undefined = list; argv; ) {
      const run = await home.payctl(argv, { env: against(server) });
      printed += run.stdout;
      code = run.code;
      argv = code === 0 ? undefined : printedError(run.stderr).resume?.[0]?.split(' ').slice(1);
    }
    const whole = await home.payctl(list, { env: against(server) });
    expect({ printed, code }).toEqual({ printed: whole.stdout, code: 0 });
    expect(server.requests).toHaveLength(6 + 4);
  });

  it('gives one valid JSON document whose next_cursor is where to resume', async () => {
    const server = await serveBuyers(7, { 3: refuse });
    const run = await home.payctl([...ALL, '-o', 'json'], { env: against(server) });
    expect(JSON.parse(run.stdout)).toEqual({
      items: [buyer(1), buyer(2), buyer(3), buyer(4)],
      limit: 2,
      next_cursor: 'from-4',
      previous_cursor: null,
    });
    expect(errorObject(run.stderr)).toEqual({
      code: 'bad_request',
      status: 400,
      message: MESSAGE,
      details: [],
      probably: [CAUSE],
      request: { method: 'GET', path: '/buyers?cursor=from-4&limit=2', origin: server.origin, attempts: 1 },
      resume_cursor: 'from-4',
      resume_command: 'payctl buyers list --all --limit 2 -o json --cursor from-4',
      exit_code: 6,
    });
    expect(run.code).toBe(6);
  });

  it.each([
    ['ndjson', lines(...[1, 2, 3, 4].map((number) => JSON.stringify({ id: buyer(number).id })))],
    ['csv', `${['id', ...ids(1, 2, 3, 4)].join('\r\n')}\r\n`],
    [
      'yaml',
      lines(
        'items:',
        ...ids(1, 2, 3, 4).map((id) => `- id: ${id}`),
        'limit: 2',
        'next_cursor: from-4',
        'previous_cursor: null',
      ),
    ],
  ])('leaves whole records in %s', async (format, stdout) => {
    const server = await serveBuyers(7, { 3: refuse });
    const run = await home.payctl([...ALL, '-o', format, '--columns', 'id'], { env: against(server) });
    expect(run).toMatchObject({ stdout, code: 6 });
  });

  it.each([
    ['', 7],
    ['--cursor from-0', 7],
    ['--max-items 5', 5],
    ['--max-items=6', 6],
  ])('gives the rest when it is resumed with that command: %s', async (flags, count) => {
    const server = await serveBuyers(7, { 3: refuse });
    const many = flags.includes('--max-items') ? ['buyers', 'list', '--limit', '2'] : ALL;
    const typed = [...many, '-o', 'ndjson', '--columns', 'id', ...flags.split(' ').filter(Boolean)];
    const first = await home.payctl(typed, { env: against(server) });
    const [name, ...command] = String(errorObject(first.stderr).resume_command).split(' ');
    expect(name).toBe('payctl');
    const rest = await home.payctl(command, { env: against(server) });
    expect(rest.code).toBe(0);
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    expect(first.stdout + rest.stdout).toBe(lines(...ids(...numbers).map((id) => JSON.stringify({ id }))));
  });
});

describe('a cursor or a page that repeats', () => {
  it.each([
    ['cursor', 'same', [1, 2], '2 pages (2 items)'],
    ['page', 'other', [1], '1 page (1 item)'],
  ])('ends the run with 9 instead of looping: the same %s', async (what, cursor, shown, printed) => {
    let number = 0;
    const server = await serve((_, response) => {
      number += 1;
      const [item, next] = what === 'page' ? [1, `${cursor}${number}`] : [number, cursor];
      response.end(JSON.stringify(page([buyer(item)], { next })));
    });
    const run = await home.payctl([...ALL, '--columns', 'id'], { env: against(server) });
    expect(run.stdout).toBe(lines('ID', ...ids(...shown)));
    expect(printedError(run.stderr)).toEqual({
      code: 'cursor_loop',
      message: `The service returned the same ${what} twice, so the list would never end; printed ${printed} before the error`,
      hints: [WORDS],
    });
    expect(run.code).toBe(9);
  });
});
