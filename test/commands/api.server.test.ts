import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeProfiles, setCredentials, setProfile } from '../../src/config/profile-writer.ts';
import { readProfiles } from '../../src/config/profiles.ts';
import { freshDirectory } from '../config/config-directory.ts';
import { document, get, type Json } from '../descriptions/describe.ts';
import { LARGE_MERCHANT_HEADER, largeDescription } from '../descriptions/large-description.ts';
import { startServer } from '../harness/http-server.ts';
import { serve } from '../harness/serve.ts';
import { folderForAll } from '../harness/temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

let directory = '';
beforeEach(() => {
  directory = freshDirectory();
});

/** Runs payctl with a configuration of its own. */
async function payctl(args: readonly string[], env: Readonly<Record<string, string>> = {}, columns?: number) {
  return await runInProcess(args, {
    env: { PAYCTL_CONFIG_DIR: directory, ...env },
    columns,
  });
}

function file(value: unknown, name = 'openapi.json'): string {
  const path = join(freshDirectory(), name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

const imports = () => {
  const folder = join(directory, 'data', 'descriptions');
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^file-|-\d+$/.test(name)) : [];
};

describe('api import', () => {
  it('reports what runs, and binds the description to runs without a profile', async () => {
    const run = await payctl(['api', 'import', file(largeDescription(), 'large.json')]);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('operations\t150\nnot_run\t0\n');
    expect(run.stdout).toContain('credentials.0\ta token: 150 operations\n');
    expect(run.stdout).not.toContain('name_taken');
    expect(run.stderr).toBe(
      'The command name "buyers get" is taken by payctl itself; this operation is "read-buyer".\n/paths/~1terminals/get: Its pages name a next cursor, but it takes no "cursor": payctl prints one page, or follows a Link header.\n2 further issues: add -o json to list all of them.\nNo base URL is configured, and the description names no server. To set it: export PAYCTL_BASE_URL=URL\nNext: payctl api list\n',
    );
    expect(readProfiles(directory)).toMatchObject({
      description: { file: 'large.json', merchantHeader: LARGE_MERCHANT_HEADER },
    });
    expect(imports()).toHaveLength(1);
  });

  it('names the description that it replaces, unless it is the same', async () => {
    const described = (title: string, version: string) => file({ ...get({}), info: { title, version } });
    const env = { PAYCTL_BASE_URL: 'https://api.example.com' };
    const text = async (source: string, ...flags: string[]) =>
      (await payctl(['api', 'import', source, ...flags], env)).stderr;
    const json = async (source: string) =>
      JSON.parse((await payctl(['api', 'import', source, '--json', '--yes'])).stdout).replaced;
    const lobs = described('Lob', '1.22');
    expect(await text(lobs)).toBe('Next: payctl api list\n');
    expect(await text(lobs)).toBe('Next: payctl api list\n');
    expect(await text(described('Lob', '1.23'))).toBe('This replaces Lob 1.22.\nNext: payctl api list\n');
    expect(await text(described('Orders', '2'), '--yes')).toBe(
      'This replaces Lob 1.23, which describes another API.\nNext: payctl api list\n',
    );
    expect(await json(lobs)).toEqual({ title: 'Orders', version: '2' });
    expect(await json(lobs)).toBeNull();
    const other = await payctl([
      'api',
      'import',
      described('Orders', '2'),
      '--profile',
      'emulator',
      '--json',
    ]);
    expect(JSON.parse(other.stdout).replaced).toBeNull();
  });

  it('asks before it replaces the description of another API', async () => {
    const described = (title: string, version: string) => file({ ...get({}), info: { title, version } });
    await payctl(['api', 'import', described('Lob', '1.22'), '-q']);
    expect(await payctl(['api', 'import', described('Orders', '2')])).toEqual({
      stdout: '',
      stderr:
        'Error: Nothing was imported: the description of runs without a profile is "Lob 1.22", another API (not_confirmed)\nAdd --yes to replace it, or --profile NAME to import into another profile.\n',
      code: 2,
    });
    expect(imports()).toHaveLength(1);
    expect((await payctl(['api', 'list', '-q', '--jq', '.items[].id'])).code).toBe(0);
    expect((await payctl(['api', 'import', described('Lob', '2'), '-q'])).code).toBe(0);
    expect((await payctl(['api', 'import', described('Orders', '2'), '-q', '--yes'])).code).toBe(0);
    // A profile without a description has nothing to lose.
    expect((await payctl(['api', 'import', described('Lob', '2'), '-q', '--profile', 'emulator'])).code).toBe(
      0,
    );
  });

  describe('and the servers that the description names', () => {
    const described = (...servers: readonly unknown[]) => file({ ...get({}), servers });
    const said = async (source: string, flags: readonly string[] = [], env = {}) => {
      const { stderr } = await payctl(['api', 'import', source, ...flags], env);
      return stderr.replace(/Next: payctl api list.*\n$/, '');
    };
    const TAKES_NONE = 'No base URL is configured. payctl does not take one from a description.\n';
    const URL_1 = { url: 'https://api.example.com/v1/' };

    it('says how to make one the base URL', async () => {
      expect(await said(described(URL_1, { url: '/v2' }, { url: 'http://api.example.com' }))).toBe(
        `${TAKES_NONE}To send requests to https://api.example.com/v1/: export PAYCTL_BASE_URL=https://api.example.com/v1/\n`,
      );
      await changeProfiles(directory, (all) => setProfile(all, 'acme', {}));
      const regional = {
        url: "https://{region}.example.com/{id}/it's",
        variables: { region: { default: 'eu', enum: ['eu', 'us'] }, id: { default: 'x' } },
      };
      expect(await said(described(regional), ['--profile', 'acme'])).toBe(
        `${TAKES_NONE}To send requests to https://eu.example.com/{id}/it's: payctl profiles set acme --base-url 'https://eu.example.com/{id}/it'\\''s' --instance ID\n`,
      );
      expect(readProfiles(directory).profiles.get('acme')?.baseUrl).toBeUndefined();
    });

    it('names three of many', async () => {
      const many = Array.from({ length: 5 }, (_, index) => ({ url: `https://s${index}.example.com` }));
      const lines = (await said(described(...many))).split('\n');
      expect(lines).toHaveLength(6);
      expect(lines[4]).toBe('The description names 2 further servers.');
    });

    it('says nothing where requests go to one of them, or to the emulator', async () => {
      const source = described({ url: 'https://other.example.com' }, URL_1);
      expect(await said(source, [], { PAYCTL_BASE_URL: 'https://api.example.com/v1' })).toBe('');
      expect(await said(source, ['--profile', 'emulator'])).toBe('');
    });

    it('says where requests go instead, and that another address logs the profile out', async () => {
      const credentials = { kind: 'token', storage: 'reference', path: '/t' } as const;
      await changeProfiles(directory, (all) =>
        setCredentials(setProfile(all, 'acme', { baseUrl: 'https://acme.example.com' }), 'acme', credentials),
      );
      expect(await said(described(URL_1), ['--profile', 'acme'])).toBe(
        [
          'Requests go to https://acme.example.com (profile acme), which the description does not name.',
          'To send requests to https://api.example.com/v1/: payctl profiles set acme --base-url https://api.example.com/v1/',
          'A new address logs the profile acme out.',
          '',
        ].join('\n'),
      );
      expect(await said(described(), [], { PAYCTL_BASE_URL: 'https://api.example.com/v1' })).toBe('');
    });

    it('lists them all as JSON', async () => {
      const run = await payctl(['api', 'import', described(URL_1, { url: '/v2' }, 5, {}, URL_1), '--json']);
      expect(JSON.parse(run.stdout).servers).toEqual(['https://api.example.com/v1/', '/v2']);
    });
  });

  it('lists everything as JSON', async () => {
    const source = file(document({ '/a': { get: { responses: {} }, head: {} }, '/b/../c': {} }));
    const { stdout, stderr, code } = await payctl(['api', 'import', source, '-o', 'json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      title: 'T',
      version: '1',
      file: 'openapi.json',
      openapi: '3.1',
      profile: null,
      operations: 1,
      not_run: 2,
      merchant_header: null,
      issues: [
        {
          code: 'method_not_sent',
          pointer: '/paths/~1a/head',
          message: 'HEAD /a cannot be run. payctl does not send HEAD',
          skipped: true,
        },
        { code: 'path_invalid', pointer: '/paths/~1b~1..~1c', skipped: true },
      ],
    });
  });

  it('belongs to the profile that is named, else to the active one, and goes with it', async () => {
    await changeProfiles(directory, (all) => ({
      ...setProfile(setProfile(all, 'acme', {}), 'other', {}),
      active: 'other',
    }));
    await payctl(['api', 'import', file(get({ operationId: 'first' })), '--profile', 'acme']);
    await payctl(['api', 'import', file(get({ operationId: 'second' }))]);
    const { profiles, description } = readProfiles(directory);
    expect([
      profiles.get('acme')?.description?.file,
      profiles.get('other')?.description?.file,
      description,
    ]).toEqual(['openapi.json', 'openapi.json', undefined]);
    const ids = async (args: readonly string[], env = {}) =>
      (await payctl(['api', 'list', ...args, '--jq', '.items[].id'], env)).stdout.trim();
    expect([
      await ids([]),
      await ids(['--profile', 'acme']),
      await ids([], { PAYCTL_PROFILE: 'acme' }),
    ]).toEqual(['second', 'first', 'first']);
    expect((await payctl(['profiles', 'show', 'acme', '-o', 'json'])).stdout).toContain(
      '"description":{"file":"openapi.json","merchant_header":null}',
    );
    await payctl(['profiles', 'delete', 'acme', '--yes']);
    expect(JSON.parse(readFileSync(join(directory, 'profiles.json'), 'utf8'))).toMatchObject({
      descriptions: { other: { file: 'openapi.json' } },
    });
  });

  it('belongs to the built-in profile, too', async () => {
    await payctl(['api', 'import', file(get({ operationId: 'first' })), '--profile', 'emulator']);
    expect(readProfiles(directory).profiles.get('emulator')?.description?.file).toBe('openapi.json');
  });

  it('names the merchant header of every command, unless a setting does', async () => {
    await payctl([
      'api',
      'import',
      file(get({ parameters: [{ name: 'X-Acme-Merchant-Account-Id', in: 'header' }] })),
    ]);
    const server = await serve((_, response) => void response.end('{"items":[]}'));
    const base = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'x', PAYCTL_MERCHANT_ACCOUNT: 'a' };
    await payctl(['buyers', 'list', '-q'], base);
    await payctl(['buyers', 'list', '-q'], { ...base, PAYCTL_MERCHANT_HEADER: 'x-own' });
    expect(
      server.requests.map(({ headers }) => [headers['x-acme-merchant-account-id'], headers['x-own']]),
    ).toEqual([
      ['a', undefined],
      [undefined, 'a'],
    ]);
  });

  it('refuses a request without the merchant account that the description demands', async () => {
    const account = { name: 'X-Acme-Merchant-Account-Id', in: 'header', required: true };
    await payctl(['api', 'import', file(get({ parameters: [account] })), '-q']);
    const server = await serve((_, response) => void response.end('{}'));
    const base = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'x' };
    const { code, stderr } = await payctl(['things', 'get', '-o', 'json'], base);
    expect({ code, error: JSON.parse(stderr).error }).toEqual({
      code: 2,
      error: {
        code: 'no_merchant_account',
        message: 'GET /things needs a merchant account',
        details: [],
        hint: 'Nothing was sent. Add --merchant-account ID, or store it: payctl profiles set NAME --merchant-account ID',
        exit_code: 2,
      },
    });
    expect(server.requests).toEqual([]);
    expect((await payctl(['things', 'get', '-m', 'a'], base)).code).toBe(0);
  });

  it.each([
    ['{"openapi": "3.1.0"', 'invalid_description'],
    ['{"swagger": "1.2"}', 'not_a_description'],
    [JSON.stringify(document({ '/a': { head: {} } })), 'nothing_to_run'],
  ])('refuses %s and leaves everything as it was', async (text, code) => {
    const run = await payctl(['api', 'import', file(text), '-o', 'json']);
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code } });
    expect(run.stdout).toBe('');
    expect(imports()).toEqual([]);
  });

  it('refuses a missing file and a --jq that does not compile before anything is written', async () => {
    expect(await payctl(['api', 'import', '/nowhere/openapi.json'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/nowhere/openapi.json'),
    });
    expect(await payctl(['api', 'import', file(get({})), '--jq', '.['])).toMatchObject({
      code: 2,
      stdout: '',
    });
    expect(imports()).toEqual([]);
  });

  it('shows nothing of the document raw', async () => {
    const run = await payctl(
      [
        'api',
        'import',
        file({
          ...get({ operationId: 'x', summary: '\u001b]0;evil\u0007' }),
          info: { title: '\u001b[2J\u202e', version: '\u009b' },
        }),
        '-o',
        'table',
      ],
      {},
      80,
    );
    const list = await payctl(['api', 'list'], {}, 80);
    const show = await payctl(['api', 'show', 'x'], {}, 80);
    const texts = [run.stdout, run.stderr, list.stdout, show.stdout].join('');
    for (const raw of ['\u001b]', '\u001b[2J', '\u202e', '\u009b', '\u0007'])
      expect(texts).not.toContain(raw);
  });
});

describe('api import of a URL', () => {
  let answer: { status: number; headers?: Json; body: string } = {
    status: 200,
    body: JSON.stringify(get({ operationId: 'remote' })),
  };
  const server = startServer((_, response) => {
    response.writeHead(answer.status, answer.headers as Record<string, string>);
    response.end(answer.body);
  });
  afterAll(async () => (await server).close());

  it('asks once, without a token', async () => {
    const { origin, requests } = await server;
    const run = await payctl(['api', 'import', `${origin}/v1/openapi.json?x=1`], {
      PAYCTL_TOKEN: 'secret-token',
      PAYCTL_BASE_URL: origin,
    });
    expect(run.code).toBe(0);
    expect(requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', '/v1/openapi.json?x=1', undefined],
    ]);
    expect(readProfiles(directory).description?.file).toBe('openapi.json');
  });

  it('does not follow a redirect', async () => {
    answer = { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' };
    const run = await payctl(['api', 'import', `${(await server).origin}/x`, '-o', 'json']);
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stderr)).toMatchObject({
      error: { code: 'description_not_found', hint: expect.stringContaining('https://elsewhere.example/') },
    });
  });

  it.each([
    ['http://example.com/openapi.json', 'insecure_url'],
    ['https://user:hunter2@example.com/openapi.json', 'invalid_url'],
    ['https://[', 'invalid_url'],
  ])('refuses %s', async (url, code) => {
    const run = await payctl(['api', 'import', url, '-o', 'json']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code } });
    expect(run.stderr).not.toContain('hunter2');
  });
});

describe('api list', () => {
  it("lists payctl's own contract where nothing was imported, and says so", async () => {
    const { stdout, stderr, code } = await payctl(['api', 'list', '--columns', 'command,method,scopes']);
    expect(code).toBe(0);
    expect(stdout).toContain('buyers gift-cards list\tGET\tgift-cards.read, embed\n');
    expect(stdout).toContain('checkout-sessions update\tPUT\tcheckout-sessions.write\n');
    expect(stderr).toBe(
      "These are the operations of payctl's own contract. No description is imported. Import one: payctl api import FILE\n",
    );
  });

  it('is what PAYCTL_DESCRIPTION names, which is imported at its first use', async () => {
    const env = { PAYCTL_DESCRIPTION: file(get({ operationId: 'named' })) };
    await payctl(['api', 'import', file(get({ operationId: 'imported' }))]);
    expect((await payctl(['api', 'list', '--jq', '.items[].id'], env)).stdout).toBe('named\n');
    expect(imports()).toHaveLength(2);
    await payctl(['api', 'list', '-q'], env);
    expect(imports()).toHaveLength(2);
  });

  it('searches, filters by tag, and says what it looked for', async () => {
    await payctl(['api', 'import', file(largeDescription())]);
    const commands = async (...args: string[]) =>
      (await payctl(['api', 'list', ...args, '--jq', '.items[].command'])).stdout.split('\n').filter(Boolean);
    expect(await commands('--search', 'REFUND')).toEqual([
      'transactions refunds list',
      'transactions refunds create',
      'transactions refunds get',
    ]);
    expect(await commands('--tag', 'payment')).toEqual(['payments create']);
    expect(await payctl(['api', 'list', '--tag', 'Payment', '--search', 'nothing'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('No operation has the tag Payment and the text nothing.'),
    });
  });

  it('says what to do where the import is gone', async () => {
    await payctl(['api', 'import', file(get({}))]);
    const folder = join(directory, 'data', 'descriptions', imports()[0] ?? '');
    writeFileSync(join(folder, 'index.json'), '{');
    expect(await payctl(['api', 'list'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Import it again: payctl api import FILE'),
    });
  });
});

describe('api show', () => {
  const imported = folderForAll();
  beforeAll(async () => {
    const path = join(imported, 'openapi.json');
    writeFileSync(path, JSON.stringify(largeDescription()));
    await payctl(['api', 'import', path], { PAYCTL_CONFIG_DIR: imported });
  });
  beforeEach(() => {
    directory = imported;
  });

  it.each([
    [['transactions', 'refunds', 'create']],
    [['transactions refunds create']],
    [['create_refund']],
    [['POST', '/transactions/{transaction_id}/refunds']],
    [['post /transactions/{}/refunds']],
  ])('finds an operation by %j', async (words) => {
    expect((await payctl(['api', 'show', ...words, '--jq', '.id'])).stdout).toBe('create_refund\n');
  });

  it('shows on 80 columns what it takes, with an example', async () => {
    const { stdout } = await payctl(['api', 'show', 'transactions', 'refunds', 'create'], {}, 80);
    expect(stdout).toMatchInlineSnapshot(`
      "payctl transactions refunds create TRANSACTION_ID
        Create refund.

      Request      POST /transactions/{transaction_id}/refunds
      Operation    create_refund
      Scopes       transactions.write
      Header       takes a merchant account
      Idempotency  takes a key in idempotency-key
      Response     201, Refund
      Model        creates a record of /transactions/{}/refunds; ID of the record: id
      Columns      id, status, amount, currency, created_at, reason

      Arguments
        transaction_id  string, required.

      Body (JSON, optional)
        amount  integer, at least 1.
        reason  string, at most 100 characters.
        target  object.

      Example
        {
          "amount": 38279,
          "reason": "About this example",
          "target": {
            "kind": "fee",
            "amount": 7650
          }
        }
      "
    `);
    for (const line of (await payctl(['api', 'show', 'transactions', 'list'], {}, 80)).stdout.split('\n'))
      expect(line.length).toBeLessThanOrEqual(80);
  });

  it('shows an example for each branch of a union', async () => {
    const { stdout } = await payctl([
      'api',
      'show',
      'create_payment',
      '--jq',
      '[.body.examples[] | {branch, method: .value.method}]',
    ]);
    expect(JSON.parse(stdout).slice(0, 3)).toEqual([
      { branch: 'CardPayment', method: 'card' },
      { branch: 'TokenPayment', method: 'token' },
      { branch: 'WalletPayment', method: 'wallet' },
    ]);
    expect(JSON.parse(stdout)).toHaveLength(7);
  });

  it('suggests what may have been meant', async () => {
    expect(await payctl(['api', 'show', 'buyers', 'lits'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean buyers list?'),
    });
  });
});

describe('api diff', () => {
  const before = get({ parameters: [{ name: 'q', in: 'query', schema: {} }] });
  const after = get({ parameters: [{ name: 'p', in: 'query', schema: {} }] });

  it('fails where something broke, and lists that first', async () => {
    const run = await payctl(['api', 'diff', file(before), file(after)]);
    expect(run).toEqual({
      code: 1,
      stdout:
        'BREAKS\tCOMMAND\tOPERATION\tWHERE\tCHANGE\tCODE\nyes\tthings get\tGET /things\tquery q\tThe parameter was removed\tparameter_gone\n\tthings get\tGET /things\tquery p\tThe parameter is new\tparameter_added\n',
      stderr: '1 breaking change, 1 other change.\n',
    });
    expect(
      JSON.parse(
        (await payctl(['api', 'diff', file(before), file(after), '--breaking', '-o', 'json'])).stdout,
      ),
    ).toEqual({
      items: [
        {
          command: 'things get',
          operation: 'GET /things',
          breaking: true,
          code: 'parameter_gone',
          where: 'query q',
          message: 'The parameter was removed',
        },
      ],
    });
  });

  it('succeeds where nothing broke', async () => {
    expect(await payctl(['api', 'diff', file(get({})), file(before)])).toMatchObject({ code: 0 });
  });

  it("compares with the imported description, else with payctl's own contract", async () => {
    const own = join(import.meta.dirname, '../../openapi/openapi.yaml');
    expect(await payctl(['api', 'diff', own])).toMatchObject({
      code: 0,
      stdout: '',
    });
    await payctl(['api', 'import', file(before)]);
    expect(await payctl(['api', 'diff', file(after)])).toMatchObject({ code: 1 });
    expect(await payctl(['api', 'diff', file(before)])).toMatchObject({ code: 0 });
  });
});
