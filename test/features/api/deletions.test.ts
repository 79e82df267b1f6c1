import { describe, expect, it } from 'vitest';
import { answer, document } from '../../descriptions/describe.ts';
import { importedForAll, runImported } from './run-imported.ts';

const done = { responses: { 204: { description: 'Done.' } } };
const record = { responses: answer({ type: 'object', properties: { id: { type: 'string' } } }) };
const home = importedForAll(
  document({
    '/gadgets': {
      get: { responses: answer({ type: 'array', items: {} }) },
      post: { operationId: 'deleteAllGadgets', ...done },
    },
    '/gadgets/{id}': {
      get: record,
      post: { operationId: 'removeGadget', ...done },
      delete: { operationId: 'dropGadget', ...done },
    },
    '/customers/{id}': { get: record },
    '/customers/{id}/delete': { post: done },
    '/customers/{id}/delete_card': { post: done },
    '/customers/{id}/undelete': { post: done },
  }),
);

describe('a command that deletes by another method', () => {
  it.each([
    ['gadgets delete 1', 'DELETE', '/gadgets/1'],
    ['delete-all-gadgets', 'POST', '/gadgets'],
    ['customers delete 1', 'POST', '/customers/1/delete'],
    ['customers delete-card 1', 'POST', '/customers/1/delete_card'],
  ])('is confirmed: %s', async (words, method, path) => {
    const argv = words.split(' ');
    const refused = await runImported(argv, home);
    expect([refused.code, refused.sent]).toEqual([2, []]);
    expect(refused.stderr).toContain('not_confirmed');
    const sent = await runImported([...argv, '--yes'], home, { script: [{ status: 204 }] });
    expect([sent.code, sent.sent]).toEqual([0, [[method, path]]]);
    const help = await runImported([...argv, '--help'], home);
    expect(help.stdout.replaceAll(/\s+/g, ' ')).toContain('Do not ask for confirmation. ');
  });

  it('is confirmed as a raw request, too', async () => {
    const { code, sent } = await runImported(['api', 'post', '/customers/1/delete'], home);
    expect([code, sent]).toEqual([2, []]);
  });

  it('is not confirmed if it only sounds like one', async () => {
    const { code, sent } = await runImported(['customers', 'undelete', '1'], home, {
      script: [{ status: 204 }],
    });
    expect([code, sent]).toEqual([0, [['POST', '/customers/1/undelete']]]);
  });
});
