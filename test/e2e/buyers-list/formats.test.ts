import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { errorObject } from '../../harness/error-object.ts';
import { lines } from '../../harness/lines.ts';
import { printedError, WORDS } from '../../harness/printed-error.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { against, buyer, page, serve, serveAnswers, serveBuyers } from '../paged-service.ts';

const home = useHome();
const LIST = ['buyers', 'list'];
/** As no serialiser would write it: blanks, unknown fields, their order, the spelling of numbers. */
const EXACT =
  '{ "zeta":1.0, "items":[{"id":"b-1","amount":12345678901234567890,"new_field":{"b":1,"a":1e2},"display_name":"Zoë ✓"}],' +
  '"next_cursor":null,\n "limit":20 }';
const serveExact = () => serve((_, response) => void response.end(EXACT));

describe('-o json', () => {
  it('is the document of the service to the byte, and --json and PAYCTL_OUTPUT=json are the same', async () => {
    const server = await serveExact();
    const env = against(server);
    const expected = { stdout: `${EXACT}\n`, stderr: '', code: 0, signal: null };
    expect(await home.payctl([...LIST, '-o', 'json'], { env })).toEqual(expected);
    expect(await home.payctl([...LIST, '--json'], { env })).toEqual(expected);
    expect(await home.payctl(LIST, { env: { ...env, PAYCTL_OUTPUT: 'json' } })).toEqual(expected);
    expect(await home.payctl([...LIST, '--json', '--no-header'], { env })).toEqual(expected);
  });

  it('is one envelope of all items with --all, digits and unknown fields kept', async () => {
    const server = await serveExact();
    const run = await home.payctl([...LIST, '--json', '--all'], { env: against(server) });
    expect(run.stdout).toBe(
      '{"items":[{"id":"b-1","amount":12345678901234567890,"new_field":{"b":1,"a":1e2},"display_name":"Zoë ✓"}],"zeta":1.0,"next_cursor":null,"limit":20}\n',
    );
  });

  it('holds every item of every page with --all, and where to go on with --max-items', async () => {
    const server = await serveBuyers(5);
    const all = await home.payctl([...LIST, '--json', '--all', '--limit', '2'], { env: against(server) });
    expect(JSON.parse(all.stdout)).toEqual({
      items: [1, 2, 3, 4, 5].map((number) => buyer(number)),
      limit: 2,
      next_cursor: null,
      previous_cursor: null,
    });
    const some = await home.payctl([...LIST, '--json', '--max-items', '4', '--limit', '2'], {
      env: against(server),
    });
    expect(JSON.parse(some.stdout)).toMatchObject({ items: { length: 4 }, next_cursor: 'from-4' });
  });

  it('is an empty envelope, with nothing on stderr, when there are no buyers', async () => {
    const server = await serveAnswers({ body: page([]) }, { body: page([]) });
    const empty = '{"items":[],"limit":20,"next_cursor":null,"previous_cursor":null}\n';
    for (const flags of [[], ['--all']]) {
      const run = await home.payctl([...LIST, '--json', ...flags], { env: against(server) });
      expect(run).toEqual({ stdout: empty, stderr: '', code: 0, signal: null });
    }
  });
});

describe('the other formats', () => {
  const run = async (...flags: string[]) => {
    const server = await serveExact();
    return await home.payctl([...LIST, ...flags], { env: against(server) });
  };

  it('ndjson is one document a line, each as the service wrote it', async () => {
    const { stdout } = await run('-o', 'ndjson');
    expect(stdout).toBe(
      '{"id":"b-1","amount":12345678901234567890,"new_field":{"b":1,"a":1e2},"display_name":"Zoë ✓"}\n',
    );
  });

  it('yaml is one document with every digit', async () => {
    const { stdout } = await run('-o', 'yaml');
    expect(stdout).toContain('amount: 12345678901234567890\n');
    expect(parse(stdout)).toMatchObject({ items: [{ id: 'b-1', display_name: 'Zoë ✓' }], limit: 20 });
  });

  it('csv has a header of paths and lines that end in CR LF; --no-header leaves the header out', async () => {
    const record = 'Zoë ✓,,,,,,b-1\r\n';
    const header =
      'display_name,billing_details.email_address,billing_details.phone_number,billing_details.address.country,external_identifier,created_at,id\r\n';
    expect(await run('-o', 'csv')).toEqual({ stdout: header + record, stderr: '', code: 0, signal: null });
    expect((await run('-o', 'csv', '--no-header')).stdout).toBe(record);
  });

  it('markdown is one table over all pages with times in full; --no-header leaves the header out', async () => {
    const server = await serveBuyers(3);
    const args = [...LIST, '-o', 'markdown', '--all', '--limit', '2', '--columns', 'display_name,created_at'];
    const row = (number: number) => `| Buyer ${number} | 2026-03-01T14:05:59.123+00:00 |`;
    const rows = lines(row(1), row(2), row(3));
    const stdout = lines('| NAME | CREATED |', '| --- | --- |') + rows;
    expect(await home.payctl(args, { env: against(server) })).toEqual({
      stdout,
      stderr: '',
      code: 0,
      signal: null,
    });
    expect((await home.payctl([...args, '--no-header'], { env: against(server) })).stdout).toBe(rows);
  });

  it('a table in a pipe is tab-separated with times in full; --no-header leaves the header out', async () => {
    const server = await serveBuyers(1);
    const row = [
      'Buyer 1',
      '',
      '',
      '',
      'customer-1',
      '2026-03-01T14:05:59.123+00:00',
      String(buyer(1).id),
    ].join('\t');
    const header = 'NAME\tEMAIL\tPHONE\tCOUNTRY\tEXTERNAL ID\tCREATED\tID';
    const table = await home.payctl(LIST, { env: against(server) });
    expect(table).toEqual({ stdout: lines(header, row), stderr: '', code: 0, signal: null });
    const bare = await home.payctl([...LIST, '--no-header'], { env: against(server) });
    expect(bare.stdout).toBe(lines(row));
  });

  it('an empty list is silent on stdout, and the table says so on stderr unless -q', async () => {
    const server = await serve((_, response) => void response.end(JSON.stringify(page([]))));
    const env = against(server);
    const silent = { stdout: '', stderr: '', code: 0, signal: null };
    expect(await home.payctl(LIST, { env })).toEqual({ ...silent, stderr: 'No buyers found.\n' });
    expect(await home.payctl([...LIST, '-q'], { env })).toEqual(silent);
    expect(await home.payctl([...LIST, '-o', 'ndjson'], { env })).toEqual(silent);
  });
});

describe('--columns', () => {
  it.each([
    ['table', 'AMOUNT\tNEW FIELD.A\tMISSING\n12345678901234567890\t1e2\t\n'],
    ['csv', 'amount,new_field.a,missing\r\n12345678901234567890,1e2,\r\n'],
    [
      'json',
      '{"items":[{"amount":12345678901234567890,"new_field.a":1e2,"missing":null}],"zeta":1.0,"next_cursor":null,"limit":20}\n',
    ],
    ['ndjson', '{"amount":12345678901234567890,"new_field.a":1e2,"missing":null}\n'],
    [
      'markdown',
      '| AMOUNT | NEW FIELD.A | MISSING |\n| ---: | --- | --- |\n| 12345678901234567890 | 1e2 |  |\n',
    ],
    [
      'yaml',
      'items:\n- amount: 12345678901234567890\n  new_field.a: 1e2\n  missing: null\nzeta: 1.0\nnext_cursor: null\nlimit: 20\n',
    ],
  ])('picks fields that the contract does not know in %s', async (format, stdout) => {
    const server = await serveExact();
    const args = [...LIST, '-o', format, '--columns', '?amount, ?new_field.a,?missing'];
    const run = await home.payctl(args, { env: against(server) });
    const stderr = 'No item has the field "missing".\n';
    expect(run).toEqual({ stdout, stderr: format.includes('json') ? '' : stderr, code: 0, signal: null });
  });

  it('takes a header for the field that it shows', async () => {
    const server = await serveBuyers(1);
    const run = await home.payctl([...LIST, '-o', 'csv', '--columns', 'NAME,external id'], {
      env: against(server),
    });
    const stdout = 'display_name,external_identifier\r\nBuyer 1,customer-1\r\n';
    expect(run).toEqual({ stdout, stderr: '', code: 0, signal: null });
  });

  it.each([
    ['display_nam', 'display_name'],
    ['idd', 'id'],
  ])('refuses %s before anything is sent, and says which field was meant', async (typed, meant) => {
    const server = await serveExact();
    for (const format of ['table', 'json', 'ndjson', 'csv', 'yaml', 'markdown']) {
      const args = [...LIST, '-o', format, '--columns', `id,${typed}`];
      const run = await home.payctl(args, { env: against(server) });
      expect(run).toMatchObject({ stdout: '', code: 2, stderr: expect.stringContaining('unknown_column') });
      expect(run.stderr).toContain(`Did you mean ${meant}? `);
    }
    expect(server.requests).toEqual([]);
  });

  it('lists what it takes where it has no value, and asks for nothing', async () => {
    const run = await home.payctl([...LIST, '--columns']);
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(run.stdout.split('\n').slice(0, 3)).toEqual([
      'COLUMN\tHEADER',
      'display_name\tNAME',
      'billing_details.email_address\tEMAIL',
    ]);
    const get = await home.payctl(['checkout-sessions', 'get', '--columns', '-o', 'ndjson']);
    expect(get.stdout.split('\n')[0]).toBe('{"column":"type","header":""}');
  });
});

describe('--jq', () => {
  it('filters the whole document, strings unquoted and digits exact', async () => {
    const server = await serveExact();
    const env = against(server);
    const names = await home.payctl([...LIST, '--jq', '.items[].display_name'], { env });
    expect(names).toEqual({ stdout: 'Zoë ✓\n', stderr: '', code: 0, signal: null });
    const rest = await home.payctl([...LIST, '-o', 'json', '--jq', '.items[0] | {amount, id}'], { env });
    expect(rest.stdout).toBe('{"amount":12345678901234567890,"id":"b-1"}\n');
  });

  it('sees all pages together with --all, and item after item with ndjson', async () => {
    const server = await serveBuyers(5);
    const args = [...LIST, '--all', '--limit', '2'];
    const count = await home.payctl([...args, '--jq', '.items | length'], { env: against(server) });
    expect(count.stdout).toBe('5\n');
    const each = await home.payctl([...args, '-o', 'ndjson', '--jq', '.external_identifier'], {
      env: against(server),
    });
    expect(each.stdout).toBe(lines(...[1, 2, 3, 4, 5].map((number) => `"customer-${number}"`)));
  });

  it('is compiled before anything is sent, and exits with 2 when it is wrong', async () => {
    const server = await serveExact();
    const run = await home.payctl([...LIST, '--jq', '.items['], { env: against(server) });
    expect(run).toMatchObject({ stdout: '', code: 2, signal: null });
    expect(printedError(run.stderr)).toEqual({
      code: 'invalid_jq',
      message: expect.stringMatching(/--jq.*unexpected end of file at <top-level>, line 1, column 7$/),
      hints: [WORDS],
    });
    expect(server.requests).toEqual([]);
  });

  it('exits with 1 when it fails on the data, after what it gave before', async () => {
    const server = await serveExact();
    const run = await home.payctl([...LIST, '--jq', '.limit, .limit.x'], { env: against(server) });
    expect(run).toMatchObject({ stdout: '20\n', code: 1, signal: null });
    expect(printedError(run.stderr)).toEqual({
      code: 'jq_failed',
      message: expect.stringMatching(/--jq.*Cannot index number with string \("x"\)$/),
    });
  });

  it('exits with 1 when it fails on some items of a page, and says why once', async () => {
    const server = await serveBuyers(4);
    const expression = 'if .display_name | test("[23]") then error("no") else .display_name end';
    const run = await home.payctl([...LIST, '-o', 'ndjson', '--jq', expression], { env: against(server) });
    expect(run).toMatchObject({ stdout: '"Buyer 1"\n"Buyer 4"\n', code: 1, signal: null });
    expect(errorObject(run.stderr)).toMatchObject({
      code: 'jq_failed',
      message: '--jq failed on the data: no',
    });
  });
});
