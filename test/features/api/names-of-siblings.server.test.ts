import { describe, expect, it } from 'vitest';
import { answer, document } from '../../descriptions/describe.ts';
import { importedForAll, runImported } from './run-imported.ts';

const done = { responses: { 200: { description: 'Done.' } } };
const pods = { responses: answer({ type: 'object', properties: { items: { type: 'array', items: {} } } }) };
const home = importedForAll(
  document({
    '/spaces/{space}/pods': {
      get: { summary: 'List pods', ...pods },
      delete: { operationId: 'deletePods', summary: 'Delete pods', ...done },
      put: { summary: 'Set pods', ...done },
    },
    '/spaces/{space}/pods/{name}.json': {
      get: { responses: answer({ type: 'object', properties: { name: { type: 'string' } } }) },
      delete: { operationId: 'deletePod', summary: 'Delete a pod', ...done },
    },
    '/search': {
      post: {
        parameters: [{ name: 'cursor', in: 'query', schema: { type: 'string' } }],
        responses: answer({
          type: 'object',
          properties: { items: { type: 'array', items: {} }, next_cursor: { type: 'string' } },
        }),
      },
    },
    '/refunds': {
      post: {
        parameters: [{ name: 'cursor', in: 'query', schema: { type: 'string' } }],
        responses: answer({
          type: 'object',
          properties: { items: { type: 'array', items: {} }, next_cursor: { type: 'string' } },
        }),
      },
    },
  }),
);

describe('a wrong number of arguments', () => {
  it.each([
    [
      ['spaces', 'pods', 'delete', 'a'],
      'Missing argument NAME',
      '1 argument: payctl spaces pods delete-all SPACE',
    ],
    [['spaces', 'pods', 'get', 'a'], 'Missing argument NAME', '1 argument: payctl spaces pods list SPACE'],
    [
      ['spaces', 'pods', 'delete-all', 'a', 'b'],
      'Unexpected argument "b"',
      '2 arguments: payctl spaces pods delete SPACE NAME',
    ],
    [
      ['api', 'call', 'deletePod', 'a'],
      'Missing argument NAME',
      '1 argument: payctl api call deletePods SPACE',
    ],
  ])('of %j names the command that takes so many', async (argv, problem, sibling) => {
    const { code, stderr, sent } = await runImported(argv, home);
    expect([code, sent]).toEqual([2, []]);
    expect(stderr).toContain(`Error: ${problem} (`);
    expect(stderr).toMatch(new RegExp(`The command that takes ${sibling}\\n$`));
  });

  it.each([
    [['spaces', 'pods', 'delete']],
    [['spaces', 'pods', 'update-all', 'a', 'b']],
    [['spaces', 'pods', 'list', 'a', '--json', 'name']],
  ])(
    'names none where no such command takes so many, or the argument is the value of a flag: %j',
    async (argv) => {
      const { code, stderr } = await runImported(argv, home);
      expect(code).toBe(2);
      expect(stderr).not.toContain('The command that takes');
    },
  );
});

describe('a POST with pages', () => {
  const script = [{ body: { items: [{ id: 1 }], next_cursor: 'c' } }, { body: { items: [{ id: 2 }] } }];

  it('is followed by --all if its path says that it only reads', async () => {
    const { stdout, sent, code } = await runImported(['search', '--all', '-o', 'ndjson'], home, { script });
    expect([code, stdout]).toEqual([0, '{"id":1}\n{"id":2}\n']);
    expect(sent).toEqual([
      ['POST', '/search'],
      ['POST', '/search?cursor=c'],
    ]);
  });

  it('is sent once otherwise: it has no --all', async () => {
    const refused = await runImported(['refunds', 'create', '--all'], home, { script });
    expect([refused.code, refused.sent]).toEqual([2, []]);
    expect(refused.stderr).toContain('Unknown flag --all');
    const { stdout, stderr, sent } = await runImported(['refunds', 'create', '-o', 'json'], home, { script });
    expect([sent, stderr]).toEqual([[['POST', '/refunds']], '']);
    expect(JSON.parse(stdout)).toEqual({ items: [{ id: 1 }], next_cursor: 'c' });
  });
});
