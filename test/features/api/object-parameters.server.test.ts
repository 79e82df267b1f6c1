import { describe, expect, it } from 'vitest';
import { answer, codes, document, get, imported } from '../../descriptions/describe.ts';
import { startImported } from '../../emulator/imported/imported-emulator.ts';
import { importedHome, runImported } from './run-imported.ts';

const dispute = {
  type: 'object',
  required: ['id', 'status', 'amount'],
  properties: {
    id: { type: 'string' },
    status: { type: 'string', enum: ['open', 'won'] },
    amount: { type: 'integer', minimum: 1, maximum: 100 },
  },
};
const disputes = document({
  '/disputes': {
    get: {
      operationId: 'list_disputes',
      parameters: [
        {
          name: 'filter',
          in: 'query',
          style: 'deepObject',
          schema: { type: 'object', properties: { status: dispute.properties.status } },
        },
        {
          name: 'amount',
          in: 'query',
          style: 'deepObject',
          schema: { type: 'object', properties: { gte: { type: 'integer', minimum: 0 } } },
        },
        {
          name: 'metadata',
          in: 'query',
          style: 'deepObject',
          schema: { type: 'object', additionalProperties: { type: 'integer' } },
        },
        { name: 'where', in: 'query', content: { 'application/json': { schema: {} } } },
      ],
      responses: answer({
        type: 'object',
        properties: { items: { type: 'array', items: dispute } },
      }),
    },
  },
  '/batches/{ids}': {
    get: {
      operationId: 'get_batch',
      parameters: [
        { name: 'ids', in: 'path', required: true, schema: { type: 'array', items: { type: 'integer' } } },
        { name: 'X-Tags', in: 'header', schema: { type: 'array', items: { type: 'string', maxLength: 3 } } },
      ],
      responses: answer({ type: 'object' }),
    },
  },
});
const script = [{ status: 200, body: '{"items":[]}' }];

describe('the members of an object in the query', () => {
  it('are flags, and are sent in brackets', async () => {
    const done = await runImported(
      'disputes list --filter-status open --amount-gte 5 --where {"a":[1]} -o json'.split(' '),
      importedHome(disputes),
      { script },
    );
    expect(done).toMatchObject({ stdout: '{"items":[]}\n', stderr: '', code: 0 });
    expect(done.sent).toEqual([
      ['GET', '/disputes?filter%5Bstatus%5D=open&amount%5Bgte%5D=5&where=%7B%22a%22%3A%5B1%5D%7D'],
    ]);
  });

  it.each([
    [['--filter-status', 'opn'], '--filter-status cannot be "opn"'],
    [['--amount-gte', '-1'], '--amount-gte must be a whole number of 0 or more, not "-1"'],
    [['--where', '{a:1}'], '--where must be JSON, not "{a:1}"'],
  ])('are checked before anything is sent: %j', async (flags, message) => {
    const failed = await runImported(['disputes', 'list', ...flags], importedHome(disputes));
    expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
    expect(failed.stderr).toContain(`Error: ${message}`);
  });

  it('are pairs of one flag where they may have any name', async () => {
    const described = importedHome(disputes);
    const done = await runImported(
      ['disputes', 'list', '--metadata', 'a b=1', '--metadata', 'c=-2', '-o', 'json'],
      described,
      {
        script,
      },
    );
    expect(done).toMatchObject({ stderr: '', code: 0 });
    expect(done.sent).toEqual([['GET', '/disputes?metadata%5Ba%20b%5D=1&metadata%5Bc%5D=-2']]);
    for (const [typed, message] of [
      ['a', '--metadata must be KEY=VALUE, not "a"'],
      ['a[b]=1', '--metadata must be KEY=VALUE, not "a[b]=1"'],
      ['a=x', '--metadata a must be a whole number, not "x"'],
      ['password=1', '--metadata takes no secret such as "password"'],
      [
        '{"n":12345678901234567890}',
        '--metadata must be KEY=VALUE, not "{\\"n\\":12345678901234567890}" (bad_flag)\nFor example: --metadata n=12345678901234567890\n',
      ],
      [
        '{"api_key":"x"}',
        '--metadata must be KEY=VALUE, not "{\\"api_key\\":\\"x\\"}" (bad_flag)\nFor example: --metadata order=1234\n',
      ],
      [
        '{"a[b]":"x"}',
        '--metadata must be KEY=VALUE, not "{\\"a[b]\\":\\"x\\"}" (bad_flag)\nFor example: --metadata order=1234\n',
      ],
      [
        '{"gt": 1, "lt": 2}',
        '--metadata must be KEY=VALUE, not "{\\"gt\\": 1, \\"lt\\": 2}" (bad_flag)\nFor example: --metadata gt=1 --metadata lt=2\n',
      ],
    ] as const) {
      const failed = await runImported(['disputes', 'list', '--metadata', typed], described);
      expect(failed).toMatchObject({ code: 2, sent: [] });
      expect(failed.stderr).toContain(`Error: ${message}`);
    }
  });

  it('are refused where a key is given twice, also by the flag of its field', async () => {
    const schema = {
      type: 'object',
      properties: { status: { type: 'string' } },
      additionalProperties: { type: 'string' },
    };
    const parameters = [{ name: 'metadata', in: 'query', style: 'deepObject', schema }];
    const described = importedHome(
      get({ operationId: 'things', parameters, responses: answer({ type: 'object' }) }),
    );
    for (const [flags, key] of [
      [['--metadata', 'a=1', '--metadata', 'a=2'], 'a'],
      [['--metadata', 'status=1', '--metadata-status', '2'], 'status'],
    ] as const) {
      const failed = await runImported(['things', 'get', ...flags], described);
      expect(failed).toMatchObject({
        stdout: '',
        stderr: `Error: --metadata has the key "${key}", which is given twice (bad_flag)\n`,
        code: 2,
        sent: [],
      });
    }
  });

  it('are sent whatever their names are', async () => {
    const parameters = ['__proto__', 'constructor'].map((name) => ({
      name,
      in: 'query',
      schema: { type: 'string' },
    }));
    const described = importedHome(
      get({ operationId: 'things', parameters, responses: answer({ type: 'object' }) }),
    );
    const flags = ['things', 'get', '--proto', 'a', '--constructor', 'b', '-o', 'json'];
    const done = await runImported(flags, described, { script });
    expect(done).toMatchObject({ code: 0, sent: [['GET', '/things?__proto__=a&constructor=b']] });
  });

  it('are in the help and in api show', async () => {
    const described = importedHome(disputes);
    const help = await runImported(['disputes', 'list', '--help'], described);
    expect(help.stdout).toMatch(/--filter-status TEXT +Parameter filter\[status\] of the request\./);
    const shown = await runImported(['api', 'show', 'list_disputes'], described);
    expect(shown.stdout).toContain('--filter-status  open | won.');
  });

  it('filter the records of the emulator', async () => {
    await using emulator = await startImported(disputes);
    const statuses = async (query: string) => {
      const { status, body } = await emulator.call('GET', `/disputes?${query}`);
      expect(status).toBe(200);
      return body.items as { status: string; amount: number }[];
    };
    const all = await statuses('');
    const open = all.filter(({ status }) => status === 'open').length;
    expect(await statuses('filter%5Bstatus%5D=open')).toHaveLength(open);
    expect(await statuses('amount[gte]=50')).toHaveLength(all.filter(({ amount }) => amount >= 50).length);
    expect((await emulator.call('GET', '/disputes?filter[status]=lost')).status).toBe(400);
    expect((await emulator.call('GET', '/disputes?metadata[a]=x')).status).toBe(400);
    expect(await statuses('metadata[a]=1')).toHaveLength(all.length);
  });
});

describe('a list in the path or a header', () => {
  it('is separated by commas, and each element is checked and encoded', async () => {
    const described = importedHome(disputes);
    const done = await runImported(
      ['batches', 'get', '1,22', '--x-tags', 'a', '--x-tags', 'b c', '-v'],
      described,
      {
        script: [{ status: 200, body: '{}' }],
      },
    );
    expect(done.sent).toEqual([['GET', '/batches/1,22']]);
    expect(done.stderr).toContain('> x-tags: a,b c');
    const failed = await runImported(['batches', 'get', '1,x'], described);
    expect(failed).toMatchObject({ code: 2, sent: [] });
    expect(failed.stderr).toContain('IDS must be a whole number, not "x"');
    const empty = await runImported(['batches', 'get', '1,'], described);
    expect(empty.stderr).toContain('IDS cannot be empty');
  });
});

it('a list in brackets is a flag that can be repeated, and is sent with its brackets', async () => {
  const list = { type: 'array', items: { type: 'string', enum: ['customer', 'invoice'] } };
  const parameters = [
    { name: 'expand', in: 'query', style: 'deepObject', explode: true, schema: list },
    { name: 'ids[]', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
  ];
  const description = get({ parameters });
  expect(codes(await imported(description))).toEqual([]);
  const argv = ['things', 'get', '--expand', 'customer', '--expand', 'invoice', '--ids', 'a'];
  const home = importedHome(description);
  const { sent } = await runImported(argv, home, { script: [{ body: {} }] });
  expect(sent).toEqual([['GET', '/things?expand%5B%5D=customer&expand%5B%5D=invoice&ids%5B%5D=a']]);
  const refused = await runImported(['things', 'get', '--expand', 'costumer'], home);
  expect([refused.code, refused.stderr.includes('Did you mean customer?')]).toEqual([2, true]);
});
