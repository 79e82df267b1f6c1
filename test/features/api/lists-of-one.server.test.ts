import { describe, expect, it } from 'vitest';
import { answer, document } from '../../descriptions/describe.ts';
import { importedForAll, runImported } from './run-imported.ts';

const cup = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } };
const cups = { type: 'object', properties: { cups: { type: 'array', items: cup } } };
const home = importedForAll(
  document({
    '/cups': {
      get: { responses: answer(cups) },
      post: {
        operationId: 'addCup',
        requestBody: { content: { 'application/json': { schema: cups } } },
        responses: answer(cups),
      },
    },
    '/cups/{id}': { get: { responses: answer(cups) } },
  }),
);
const run = async (argv: readonly string[], body: object) =>
  await runImported(argv, home, { script: [{ body }] });

describe('a response with one record in a list', () => {
  it('is shown as the record', async () => {
    const { stdout, stderr } = await run(['cups', 'get', '1'], { cups: [{ id: '1', name: 'A' }] });
    expect([stdout, stderr]).toEqual(['id\t1\nname\tA\n', '']);
  });

  it('is said to have more records if it has', async () => {
    const body = {
      cups: [
        { id: '1', name: 'A' },
        { id: '2', name: 'B' },
      ],
    };
    const argv = ['cups', 'create', '--data', JSON.stringify(body)];
    const { stdout, stderr, code } = await run(argv, body);
    expect([stdout, code]).toEqual(['id\t1\nname\tA\n', 0]);
    expect(stderr).toBe('The service sent 2 records; the first is shown. For all: -o json\n');
    expect(JSON.parse((await run([...argv, '-o', 'json'], body)).stdout)).toEqual(body);
  });

  it('is shown whole if it has none', async () => {
    expect((await run(['cups', 'get', '1'], { cups: [] })).stdout).toBe('cups\t[]\n');
  });
});
