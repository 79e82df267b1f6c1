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
    '/customers/{id}/cancel-delete': { post: done },
    '/customers/{id}/delete-protection': { put: done },
    '/customers/{id}/cards': { post: { operationId: 'createDeletedCard', ...done } },
    '/customers/{id}/notes': { post: { operationId: 'bulk_delete_notes', ...done } },
    '/customers/{id}/marks': { patch: { operationId: 'CustomersController_remove', ...done } },
    '/mails/bulk-delete': { post: done },
    '/mails/remove-list': { put: done },
    '/mails/batch-remove': { post: done },
    '/mails/destroy': { post: done },
    '/mails/purge': { post: done },
    '/mails/cache/clear': { post: done },
    '/mails/prune': { get: record, post: done },
    '/mails/jobs/delete': { get: record, post: { operationId: 'Create a job', ...done } },
  }),
);

describe('a command that deletes by another method', () => {
  it.each([
    ['gadgets delete 1', 'DELETE', '/gadgets/1'],
    ['delete-all-gadgets', 'POST', '/gadgets'],
    ['customers delete 1', 'POST', '/customers/1/delete'],
    ['customers delete-card 1', 'POST', '/customers/1/delete_card'],
    ['customers notes 1', 'POST', '/customers/1/notes'],
    ['customers marks update 1', 'PATCH', '/customers/1/marks'],
    ['mails bulk-delete', 'POST', '/mails/bulk-delete'],
    ['mails remove-list update', 'PUT', '/mails/remove-list'],
    ['mails batch-remove', 'POST', '/mails/batch-remove'],
    ['mails destroy', 'POST', '/mails/destroy'],
    ['mails purge', 'POST', '/mails/purge'],
    ['mails cache clear', 'POST', '/mails/cache/clear'],
    ['mails prune create', 'POST', '/mails/prune'],
    ['mails jobs delete create', 'POST', '/mails/jobs/delete'],
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

  it.each([
    ['customers undelete 1', 'POST', '/customers/1/undelete', 204],
    ['customers cancel-delete 1', 'POST', '/customers/1/cancel-delete', 204],
    ['customers delete-protection update 1', 'PUT', '/customers/1/delete-protection', 204],
    ['customers cards 1', 'POST', '/customers/1/cards', 204],
    ['mails jobs delete get', 'GET', '/mails/jobs/delete', 200],
  ])('is not confirmed if it only sounds like one: %s', async (words, method, path, status) => {
    const { code, sent } = await runImported(words.split(' '), home, { script: [{ status, body: '{}' }] });
    expect([code, sent]).toEqual([0, [[method, path]]]);
  });
});
