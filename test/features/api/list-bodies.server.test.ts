import { describe, expect, it } from 'vitest';
import { completedMembers } from '../../../src/features/api/completed-members.ts';
import { document } from '../../descriptions/describe.ts';
import { importedHome, runImported } from './run-imported.ts';

const item = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, rank: { type: 'integer' }, id: { type: 'string', readOnly: true } },
};
const description = document({
  '/things/batch': {
    post: {
      operationId: 'makeThings',
      requestBody: { content: { 'application/json': { schema: { type: 'array', items: item } } } },
      responses: { 200: { description: '' } },
    },
  },
});
const call = (argv: readonly string[]) =>
  runImported(['api', 'call', 'makeThings', ...argv], importedHome(description), {
    script: [{ status: 200, body: '{}' }],
  });

describe('a body that is a list', () => {
  it.each<[readonly string[], unknown]>([
    [
      ['-F', '[0].name=A', '-F', '[0].rank=1', '-F', '[1].name=5'],
      [{ name: 'A', rank: 1 }, { name: '5' }],
    ],
    [
      ['-F', '[].name=A', '-F', '[].name=B'],
      [{ name: 'A' }, { name: 'B' }],
    ],
    [
      ['--data', '[{"name":"A"}]', '-F', '[0].rank=2', '-F', '[]:={"name":"B"}'],
      [{ name: 'A', rank: 2 }, { name: 'B' }],
    ],
  ])('takes the fields of its elements: %j', async (argv, body) => {
    const result = await call(argv);
    expect(result).toMatchObject({ stderr: 'The response has no fields.\n', code: 0 });
    expect(JSON.parse(String(result.sent[0]?.[2]))).toEqual(body);
  });

  it('has the fields of its elements completed', () => {
    expect(completedMembers({ type: 'array', items: item })).toEqual(['[0].name=', '[0].rank=']);
  });

  it.each([
    [['-F', '[0].id=1', '-F', '[0].name=A'], '--field [0].id cannot be set: "id" is read-only (bad_field)'],
    [['-F', '[1].name=A'], '--field [1].name cannot be set: the body has 0 elements (bad_field)'],
    [
      ['--data', '{}', '-F', '[0].name=A'],
      '--field [0].name cannot be set: the body is not a list (bad_field)',
    ],
    [['-F', '[0].rank=x', '-F', '[0].name=A'], '[0].rank must be a whole number, not "x" (bad_field)'],
  ])('refuses %j', async (argv, message) => {
    const { code, sent, stderr } = await call(argv);
    expect([code, sent]).toEqual([2, []]);
    expect(stderr).toContain(message);
  });
});
