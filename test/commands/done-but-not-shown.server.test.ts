import { describe, expect, it } from 'vitest';
import { OUTPUT_FORMATS } from '../../src/output/formats.ts';
import type { Answer } from '../harness/http-server.ts';
import { serviceForAll } from './service-for-all.ts';

const DEEP = `{"id":"sd-1","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
const CREATE = ['buyers', 'shipping-details', 'create', 'b1', '--first-name', 'Ada'];

let answers: readonly Answer[] = [];
const service = serviceForAll();

async function run(args: readonly string[], columns?: number) {
  const { urls, ...printed } = await service.run(args, {
    answers,
    columns,
    env: { PAYCTL_MAX_RETRIES: '0' },
  });
  return { ...printed, sent: urls.length };
}

describe('a change whose response cannot be shown', () => {
  it.each([['jq_failed', ['--jq', '.id|tonumber'], '{"id":"sd-1"}']])(
    'ends with 1, and says that it was carried out, with its ID: %s',
    async (code, flags, body) => {
      answers = [{ status: 201, body }];
      const { stderr, ...rest } = await run([...CREATE, ...flags]);
      expect(rest).toEqual({ stdout: '', code: 1, sent: 1 });
      expect(stderr).toContain(`(${code})\n`);
      expect(stderr).toContain(
        '\nOutcome: done; the service processed this request. Do not send it again.\n',
      );
      expect(stderr).toContain('\nID: sd-1\n');
    },
  );

  it.each(OUTPUT_FORMATS)('does not exist for depth: %s shows it', async (format) => {
    answers = [{ status: 201, body: DEEP }];
    for (const columns of [undefined, 80]) {
      const { stdout, stderr, code } = await run([...CREATE, '-o', format], columns);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.slice(0, 100)).toContain('sd-1');
    }
  });

  it('says so in JSON beside -o json', async () => {
    answers = [{ status: 201, body: '{"id":"sd-1"}' }];
    const { stderr, code } = await run([...CREATE, '--jq', '.id|tonumber', '--json']);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({ code: 'jq_failed', outcome: 'done', id: 'sd-1', exit_code: 1 });
    expect(code).toBe(1);
  });

  it.each(['7', '12345678901234567890', '9007199254740993', '1.50', '1e400', '-0'])(
    'names an ID that is the number %s digit for digit',
    async (id) => {
      answers = [{ status: 201, body: `{"id":${id}}` }];
      const flags = ['--jq', '.missing|tonumber'];
      expect((await run([...CREATE, ...flags])).stderr).toContain(`\nID: ${id}\n`);
      expect(JSON.parse((await run([...CREATE, ...flags, '--json'])).stderr).error).toMatchObject({ id });
    },
  );

  it.each(['null', 'true', '{}', '[1]'])('has no ID where that is %s', async (id) => {
    answers = [{ status: 201, body: `{"id":${id}}` }];
    const { stderr } = await run([...CREATE, '--jq', '.missing|tonumber', '--json']);
    expect(JSON.parse(stderr).error).not.toHaveProperty('id');
  });

  it('has no ID where the response has none', async () => {
    answers = [{ status: 200, body: '{"status":"ok"}' }];
    const { stderr } = await run([...CREATE, '--jq', '.status|tonumber', '--json']);
    expect(JSON.parse(stderr).error).toMatchObject({ outcome: 'done' });
    expect(JSON.parse(stderr).error).not.toHaveProperty('id');
  });
});

it('a filter that does not compile ends a change with 2 before anything is sent', async () => {
  answers = [{ status: 201, body: '{"id":"sd-1"}' }];
  expect(await run([...CREATE, '--jq', '.['])).toMatchObject({ code: 2, stdout: '', sent: 0 });
});

it('a filter that fails on a document that was only read ends with 1', async () => {
  answers = [{ status: 200, body: '{"id":"s-1"}' }];
  const { stderr, code } = await run(['checkout-sessions', 'get', 's-1', '--jq', '.id|tonumber', '--json']);
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'jq_failed', exit_code: 1 });
  expect(JSON.parse(stderr).error).not.toHaveProperty('outcome');
  expect(code).toBe(1);
});

it('a filter that fails on a partial list does not hide why the list is partial', async () => {
  answers = [
    { status: 200, body: '{"items":[{"id":"b1"}],"next_cursor":"c2"}' },
    { status: 503, body: '' },
  ];
  const { stderr, code } = await run(['buyers', 'list', '--all', '--jq', '.items[].id|tonumber', '--json']);
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
    status: 503,
    resume_cursor: 'c2',
    exit_code: 8,
  });
  expect(code).toBe(8);
});
