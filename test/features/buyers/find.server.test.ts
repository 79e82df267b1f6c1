import { beforeEach, describe, expect, it } from 'vitest';
import { serviceForAll } from '../../commands/service-for-all.ts';

const UUID = 'e9714093-a6f6-4226-ae1e-cde40acccf87';
const ADA = `{"id":"${UUID}","display_name":"Ada L","external_identifier":"ada-1","n":12345678901234567890}`;
const ADA_2 = '{"id":"b-2","display_name":"Ada Second","external_identifier":"ada-11"}';
const METHOD = `{"id":"p-1","method":"card","scheme":"visa","label":"1111","status":"failed","buyer":${ADA}}`;
const CARD = '{ "id":"g-1", "balance":13470, "currency":"GBP", "x":1.0}';
const entry = (id: string, resource: string, time = '2026-03-01T09:00:00Z') =>
  `{"id":"${id}","timestamp":"${time}","action":"updated","resource":{"id":"${resource}"},"user":{"name":"Grace"}}`;

const page = (items: readonly string[], cursor: string | null = null) =>
  `{"items":[${items.join(',')}],"next_cursor":${JSON.stringify(cursor)}}`;
const EMPTY = page([]);

/** What the service answers to each path with its query, else to the path; a number is a status. */
let answers: Record<string, string | number> = {};
const service = serviceForAll(({ url }) => {
  const answer = answers[url] ?? answers[url.replace(/\?.*/, '')] ?? EMPTY;
  const headers = { 'content-type': 'application/json' };
  return typeof answer === 'number' ? { status: answer, headers, body: '{}' } : { headers, body: answer };
});
beforeEach(() => {
  answers = {
    '/payment-methods': page([METHOD]),
    '/buyers/gift-cards': `{"items":[${CARD}]}`,
    '/audit-logs?limit=100': page([entry('a-1', UUID), entry('a-2', 'other'), entry('a-3', UUID)]),
  };
});

type Options = { readonly columns?: number; readonly token?: string };

async function find(args: readonly string[], { columns, token = 'opaque' }: Options = {}) {
  const env = { PAYCTL_TOKEN: token, PAYCTL_MAX_RETRIES: '0' };
  return await service.run(['buyers', 'find', ...args], { env, columns });
}

/** A token without a signature that claims these scopes. */
function tokenWith(...scopes: string[]): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'ES512' })}.${part({ scopes })}.AAAA`;
}

const DOCUMENT = `{"buyer":${ADA},"payment_methods":[${METHOD}],"gift_cards":[${CARD}],"audit_logs":[${entry('a-1', UUID)},${entry('a-3', UUID)}]}\n`;

describe('what a text names', () => {
  it('is a buyer with this external identifier, also where others match the search', async () => {
    answers['/buyers?external_identifier=ada-1&limit=20'] = page([ADA]);
    answers['/buyers?search=ada-1&limit=20'] = page([ADA, ADA_2]);
    expect(await find(['ada-1', '-o', 'json'])).toMatchObject({ stdout: DOCUMENT, stderr: '', code: 0 });
    expect((await find(['ada-1'])).stderr).toContain(
      '1 other buyer matches "ada-1": payctl buyers list --search ada-1\n',
    );
  });

  it('is the only buyer that the search finds', async () => {
    answers['/buyers?search=ada%20l&limit=20'] = page([ADA]);
    const { stdout, urls } = await find(['ada l', '-o', 'json']);
    expect(stdout).toBe(DOCUMENT);
    expect(urls.toSorted()).toEqual([
      '/audit-logs?limit=100',
      `/buyers/gift-cards?buyer_id=${UUID}`,
      '/buyers?external_identifier=ada%20l&limit=20',
      '/buyers?search=ada%20l&limit=20',
      `/payment-methods?buyer_id=${UUID}&limit=100`,
    ]);
  });

  it('is a buyer with this ID, found by what a payment method tells', async () => {
    answers['/buyers?external_identifier=ada-1&limit=20'] = page([ADA]);
    const { stdout, urls } = await find([UUID, '-o', 'json']);
    expect(stdout).toBe(DOCUMENT);
    expect(urls).not.toContain('/buyers?limit=100');
  });

  it('is a buyer with this ID and a name alone', async () => {
    const named = `{"id":"${UUID}","display_name":"Ada L"}`;
    answers['/payment-methods'] = page([`{"id":"p-1","buyer":${named}}`]);
    answers['/buyers?search=Ada%20L&limit=20'] = page([ADA_2, named]);
    expect((await find([UUID, '--jq', '.buyer.display_name'])).stdout).toBe('Ada L\n');
  });

  it.each([
    ['without payment methods', EMPTY],
    ['whose payment method says nothing of it', page(['{"id":"p-1"}'])],
    ['whose payment methods cannot be read', 403],
  ])('is a buyer with this ID %s, found in the list', async (_, methods) => {
    answers['/payment-methods'] = methods;
    answers['/buyers?limit=100'] = page([ADA_2], 'two');
    answers['/buyers?cursor=two&limit=100'] = page([ADA]);
    expect((await find([UUID, '--jq', '.buyer.id'])).stdout).toBe(`${UUID}\n`);
  });

  it('is none, with what was looked at', async () => {
    expect(await find(['bob'])).toMatchObject({
      stdout: '',
      stderr:
        'Error: No buyer matches "bob" (not_found)\nThe service searches names and external identifiers, not e-mail addresses, in one merchant account. It may treat é and e as different letters, so type the accents.\n',
      code: 5,
    });
    answers['/payment-methods'] = EMPTY;
    answers['/buyers?limit=100'] = page([ADA_2]);
    expect((await find([UUID])).stderr).toContain(
      `No buyer matches "${UUID}"; payctl searched 1 buyer (not_found)`,
    );
  });

  it('is nothing where it is empty or missing', async () => {
    expect(await find([''])).toMatchObject({ code: 2, urls: [] });
    expect(await find([])).toMatchObject({ code: 2, urls: [] });
  });
});

describe('the beginning of an ID', () => {
  it('names the buyer that alone has it, after everything else', async () => {
    answers['/buyers?limit=100'] = page([ADA_2], 'two');
    answers['/buyers?cursor=two&limit=100'] = page([ADA]);
    expect((await find([UUID.slice(0, 8), '--jq', '.buyer.id'])).stdout).toBe(`${UUID}\n`);
    answers[`/buyers?search=${UUID.slice(0, 8)}&limit=20`] = page([ADA_2]);
    expect((await find([UUID.slice(0, 8), '--jq', '.buyer.id'])).stdout).toBe('b-2\n');
  });

  it('is refused where two buyers have it, and says how many were looked at where none has', async () => {
    const second = `${UUID.slice(0, 8)}-0000-4000-8000-000000000000`;
    answers['/buyers?limit=100'] = page([ADA, `{"id":"${second}"}`]);
    expect(await find([UUID.slice(0, 8)])).toMatchObject({
      stdout: '',
      stderr:
        'Error: Several buyers have IDs that begin with "e9714093" (several_match)\n' +
        `Type more of the ID: ${UUID}, ${second}.\n`,
      code: 2,
    });
    const none = await find(['deadbeef']);
    expect(none.stderr).toContain('No buyer matches "deadbeef"; payctl searched 2 buyers (not_found)');
  });
});

describe('several buyers that match', () => {
  it('are listed in a table, and nothing else is asked for', async () => {
    answers['/buyers?search=ada&limit=20'] = page([ADA, ADA_2]);
    const { stdout, stderr, code, urls } = await find(['ada']);
    expect({ stdout, stderr, code }).toEqual({
      stdout: `NAME\tEXTERNAL ID\tCREATED\tID\nAda L\tada-1\t\t${UUID}\nAda Second\tada-11\t\tb-2\n`,
      stderr: 'Error: 2 buyers match "ada" (several_match)\nUse the ID of one of them.\n',
      code: 1,
    });
    expect(urls).toHaveLength(2);
  });

  it.each(['json', 'ndjson', 'csv', 'yaml', 'markdown'])(
    'are named in the error alone, as %s',
    async (format) => {
      answers['/buyers?search=ada&limit=20'] = page([ADA, ADA_2], 'more');
      const { stdout, stderr, code } = await find(['ada', '-o', format]);
      expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
      expect(stderr).toContain('More than 2 buyers match');
      expect(stderr).toContain(`${UUID}, b-2, ...`);
    },
  );
});

describe('what belongs to a buyer', () => {
  beforeEach(() => {
    answers['/buyers?external_identifier=ada-1&limit=20'] = page([ADA]);
  });

  it('is in sections on a terminal', async () => {
    const { stdout, stderr } = await find(['ada-1'], { columns: 80 });
    expect(stdout).toMatchInlineSnapshot(`
      "id                   e9714093-a6f6-4226-ae1e-cde40acccf87
      display_name         Ada L
      external_identifier  ada-1
      n                    12345678901234567890

      Payment methods (1)
      PAYMENT METHOD  STATUS  EXPIRES  COUNTRY  CREATED  LAST USED  EXTERNAL ID  ID
      visa ···1111    failed                                                     p-1

      Gift cards (1)
      CARD     BALANCE  EXPIRES  ERROR  ID
            134.70 GBP                  g-1

      Audit log (2)
      TIME (UTC)            USER   ACTION   EMAIL  ID
      2026-03-01 09:00:00Z  Grace  updated         a-1
      2026-03-01 09:00:00Z  Grace  updated         a-3
      "
    `);
    expect(stderr).toBe(
      `There are 2 entries about this buyer among the 3 audit log entries that payctl looked at, back to 2026-03-01T09:00:00Z.\n`,
    );
    // What a narrow terminal leaves out is named below the tables, and more entries only where there are more.
    answers['/audit-logs?limit=100'] = page(
      Array.from({ length: 11 }, (_, index) => entry(`a-${index}`, UUID)),
    );
    const narrow = await find(['ada-1'], { columns: 60 });
    expect(narrow.stderr).toMatch(/^Payment methods: \+\d columns \(.*\): -o wide\n/);
    expect(narrow.stderr).toContain(` More: payctl audit-logs list --resource-id ${UUID}\n`);
    answers['/payment-methods'] = EMPTY;
    expect((await find(['ada-1'], { columns: 80 })).stdout).toContain(
      '\n\nPayment methods: none\n\nGift cards (1)\n',
    );
  });

  it('is one document in every other format', async () => {
    const leaves = (await find(['ada-1'])).stdout.split('\n');
    expect(leaves).toContain('payment_methods.0.status\tfailed');
    expect((await find(['ada-1', '-o', 'ndjson'])).stdout.split('\n')).toHaveLength(2);
    expect((await find(['ada-1', '-o', 'yaml'])).stdout).toMatch(/^buyer:\n {2}id: /);
    expect((await find(['ada-1', '-o', 'csv', '--columns', 'buyer.id,gift_cards.0.balance'])).stdout).toBe(
      `buyer.id,gift_cards.0.balance\r\n${UUID},13470\r\n`,
    );
  });

  it('has columns that the contract knows, or none are sent for', async () => {
    const { stderr, code, urls } = await find(['ada-1', '--columns', 'buyer.nope']);
    expect({ code, urls }).toEqual({ code: 2, urls: [] });
    expect(stderr).toContain('Unknown column "buyer.nope"');
    const listed = await find(['ada-1', '--columns']);
    expect(listed.stdout).toContain('payment_methods.0.status\t\n');
    expect(listed.urls).toEqual([]);
  });

  it('leaves out what the token does not allow, with a warning, and does not ask for it', async () => {
    const token = tokenWith('buyers.read', 'embed');
    const { stdout, stderr, urls } = await find(['ada-1', '-o', 'json'], { token });
    expect(stdout).toBe(`{"buyer":${ADA},"gift_cards":[${CARD}]}\n`);
    expect(stderr).toBe(
      [
        ['Payment methods', 'payment-methods.read'],
        ['Audit log', 'audit-logs.read'],
      ]
        .map(([title, scope]) => {
          const message = `${title}: left out, because the token lacks the scope ${scope}`;
          return `${JSON.stringify({ warning: { code: 'section_left_out', message } })}\n`;
        })
        .join(''),
    );
    expect(urls.filter((url) => /payment-methods|audit-logs/.test(url))).toEqual([]);
  });

  it('leaves out what the service refuses, with a warning', async () => {
    answers['/payment-methods'] = 403;
    answers['/buyers/gift-cards'] = 404;
    const { stdout, stderr, code } = await find(['ada-1']);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/payment_methods|gift_cards/);
    expect(stderr).toContain(
      'Payment methods: left out, because the service answered 403; it needs the scope payment-methods.read\n',
    );
    expect(stderr).toContain('Gift cards: left out, because the service answered 404\n');
  });

  it.each([500, 401])('fails where the service does, with nothing printed: %i', async (status) => {
    answers['/buyers/gift-cards'] = status;
    expect(await find(['ada-1', '-o', 'json'])).toMatchObject({ stdout: '', code: status === 500 ? 8 : 3 });
  });

  it('says that there are more payment methods than it shows', async () => {
    answers['/payment-methods'] = page([METHOD], 'more');
    expect((await find(['ada-1'])).stderr).toContain(
      `These are the first 1. All of them: payctl payment-methods list --buyer-id ${UUID} --all\n`,
    );
  });

  it('holds the last ten audit log entries among the first thousand', async () => {
    const full = (count: number, resource: string, name = 'e') =>
      Array.from({ length: count }, (_, index) => entry(`${name}-${index}`, resource));
    answers['/audit-logs?limit=100'] = page(full(9, UUID), 'two');
    answers['/audit-logs?cursor=two&limit=100'] = page(full(5, UUID, 'f'), 'three');
    const { stdout, urls } = await find(['ada-1', '--jq', '.audit_logs | length']);
    expect(stdout).toBe('10\n');
    expect(urls.some((url) => url.includes('cursor=four'))).toBe(false);
    answers = { '/buyers?external_identifier=ada-1&limit=20': page([ADA]) };
    for (let index = 0; index < 20; index += 1) {
      const url = index === 0 ? '/audit-logs?limit=100' : `/audit-logs?cursor=c${index}&limit=100`;
      answers[url] = page(full(100, 'other', `e${index}`), `c${index + 1}`);
    }
    const none = await find(['ada-1']);
    expect(none.stderr).toContain('There are 0 entries about this buyer among the 1000 audit log entries');
    expect(none.urls.filter((url) => url.startsWith('/audit-logs'))).toHaveLength(10);
  });

  it('has its personal data and secrets masked, in each section', async () => {
    const billing = '"billing_details":{"address":{"city":"Rome"}}';
    answers['/buyers?external_identifier=ada-1&limit=20'] = page([`{"id":"${UUID}",${billing}}`]);
    answers['/payment-methods'] = page([`{"id":"p-1","secret":"s3cret","buyer":{${billing}}}`]);
    for (const columns of [undefined, 120]) {
      for (const format of ['table', 'detail', 'json', 'yaml', 'csv']) {
        const { stdout, stderr } = await find(['ada-1', '-o', format], columns ? { columns } : {});
        expect(stdout).not.toMatch(/Rome|s3cret/);
        expect(stderr).toContain('Personal data is masked. Add --reveal-pii to show it.');
      }
    }
    const { stdout } = await find(['ada-1', '-o', 'json', '--reveal-pii', '--reveal-secrets']);
    expect(stdout.match(/Rome/g)).toHaveLength(2);
    expect(stdout).toContain('s3cret');
  });

  it('cannot put control characters on a terminal', async () => {
    answers['/buyers?external_identifier=ada-1&limit=20'] = page([
      `{"id":"${UUID}","display_name":"\\u001b[31mred\\u202e"}`,
    ]);
    answers['/payment-methods'] = page(['{"id":"p-1","method":"\\u001b]0;x\\u0007"}']);
    const { stdout } = await find(['ada-1'], { columns: 100 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
  });
});
