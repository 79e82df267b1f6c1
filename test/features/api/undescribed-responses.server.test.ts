import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answer, document } from '../../descriptions/describe.ts';
import type { Handler } from '../../harness/http-server.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { importedForAll, importedHome, runImported } from './run-imported.ts';

const done = { responses: { 200: { description: 'Done.' } } };
const home = importedForAll(
  document({ '/reports/{id}': { get: done, delete: done }, '/reports/{id}/send': { post: done } }),
);
const get = ['reports', 'get', 'r1'];

it.each(['200', '2XX', 'default'])(
  'may be empty where the description has no content of %s',
  async (status) => {
    const own = importedHome(
      document({ '/spaces': { get: { responses: { [status]: { description: 'D' } } } } }),
    );
    const { stdout, code } = await runImported(['spaces', 'get'], own, { script: [{ status: 200 }] });
    expect([stdout, code]).toEqual(['', 0]);
  },
);

it('may not be empty where the description has content', async () => {
  const own = importedHome(document({ '/spaces': { get: { responses: answer({ type: 'object' }) } } }));
  const { code, stderr } = await runImported(['spaces', 'get'], own, { script: [{ status: 200 }] });
  expect(code).toBe(9);
  expect(stderr).toContain('unreadable_response');
});

/** A service that sends this, and keeps what was accepted. */
function sends(type: string, body: string, accepted: unknown[] = []): Handler {
  return ({ headers }, response) => {
    accepted.push(headers.accept);
    response.setHeader('content-type', type).end(body);
  };
}

it('is written as it comes if it is not JSON, to stdout or a file', async () => {
  const accepted: unknown[] = [];
  const pdf = sends('application/pdf', '%PDF', accepted);
  expect(await runImported(get, home, { script: [pdf] })).toMatchObject({ stdout: '%PDF', code: 0 });
  expect(accepted).toEqual(['application/json, */*;q=0.5']);
  const file = join(folderForTest(), 'report.pdf');
  const written = await runImported([...get, '--output-file', file], home, { script: [pdf] });
  expect([written.code, written.stdout, readFileSync(file, 'utf8')]).toEqual([0, '', '%PDF']);
});

it('is shown as a document or a list if it is JSON, and as nothing if it is empty', async () => {
  const json = sends('application/json', '{"id":"r1","secret":"s"}');
  const shown = await runImported([...get, '-o', 'json'], home, { script: [json] });
  expect([shown.stdout, shown.code]).toEqual(['{"id":"r1","secret":"********"}\n', 0]);
  const list = sends('application/json', '[{"id":"a"},{"id":"b"}]');
  expect((await runImported([...get, '-o', 'csv'], home, { script: [list] })).stdout).toBe(
    'id\r\na\r\nb\r\n',
  );
  const plain = sends('application/json', '["a","b"]');
  expect((await runImported(get, home, { script: [plain] })).stdout).toBe('VALUE\na\nb\n');
  for (const status of [200, 204]) {
    const empty = await runImported(get, home, { script: [{ status }] });
    expect(empty).toMatchObject({ stdout: '', code: 0 });
    expect(empty.stderr).toContain('Done. The service sent no content.');
  }
});

it.each([[['reports', 'delete', 'r1', '--yes']], [['reports', 'send', 'r1']]])(
  'is nothing but a success after a change: %j',
  async (argv) => {
    const shown = await runImported(argv, home, { script: [{ status: 200 }] });
    expect([shown.stdout, shown.code]).toEqual(['', 0]);
    const refused = await runImported([...argv, '--output-file', 'x'], home);
    expect([refused.code, refused.sent]).toEqual([2, []]);
  },
);
