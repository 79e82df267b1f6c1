import { describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import { lines } from '../../harness/lines.ts';
import { succeeded } from '../../harness/outcome.ts';
import { against, serve, serveBuyers } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';

const { useHome } = quickHomes();

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
    const expected = succeeded(`${EXACT}\n`);
    expect(await home.payctl([...LIST, '-o', 'json'], { env })).toEqual(expected);
    expect(await home.payctl([...LIST, '--json'], { env })).toEqual(expected);
    expect(await home.payctl(LIST, { env: { ...env, PAYCTL_OUTPUT: 'json' } })).toEqual(expected);
    expect(await home.payctl([...LIST, '--json', '--no-header'], { env })).toEqual(expected);
  });
});

it('--all uses one connection for all pages', async () => {
  const server = await serveBuyers(1_000);
  const run = await home.payctl([...LIST, '--all', '-o', 'ndjson'], { env: against(server) });
  expect(run.stdout.trim().split('\n')).toHaveLength(1_000);
  expect(server.requests).toHaveLength(10);
  expect(server.connections()).toBe(1);
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

  it('csv has a header of paths and lines that end in CR LF; --no-header leaves the header out', async () => {
    const record = 'Zoë ✓,,,,,,b-1\r\n';
    const header =
      'display_name,billing_details.email_address,billing_details.phone_number,billing_details.address.country,external_identifier,created_at,id\r\n';
    expect(await run('-o', 'csv')).toEqual(succeeded(header + record));
    expect((await run('-o', 'csv', '--no-header')).stdout).toBe(record);
  });
});

describe('--columns', () => {
  it.each([
    ['table', 'AMOUNT\tNEW FIELD.A\tMISSING\n12345678901234567890\t1e2\t\n'],
    [
      'json',
      '{"items":[{"amount":12345678901234567890,"new_field.a":1e2,"missing":null}],"zeta":1.0,"next_cursor":null,"limit":20}\n',
    ],
  ])('picks fields that the contract does not know in %s', async (format, stdout) => {
    const server = await serveExact();
    const args = [...LIST, '-o', format, '--columns', '?amount, ?new_field.a,?missing'];
    const run = await home.payctl(args, { env: against(server) });
    const stderr = 'No item has the field "missing".\n';
    expect(run).toEqual(succeeded(stdout, format.includes('json') ? '' : stderr));
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
    expect(names).toEqual(succeeded('Zoë ✓\n'));
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
