import { describe, expect, it } from 'vitest';
import { answer, document, imported } from './describe.ts';

const record = { type: 'object', properties: { ref: { type: 'string' }, name: { type: 'string' } } };
const wrapped = { type: 'object', properties: { outcome: record, took: { type: 'integer' } } };
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const inPath = [{ name: 'order', in: 'path', required: true, schema: { type: 'string' } }];

/** The model of a PUT, and what the import says about its corrections. */
async function corrected(extensions: object, schema: unknown = wrapped) {
  const put = { parameters: inPath, requestBody: json(schema), responses: answer(schema), ...extensions };
  const { index, records } = await imported(document({ '/orders/{order}': { put } }));
  const { action, resource, recordId, record: place } = records[0]?.operation ?? {};
  const messages = index.issues.filter(({ code }) => code === 'model_invalid').map(({ message }) => message);
  return { model: { action, resource, recordId, record: place }, messages };
}

describe('an extension that corrects the model', () => {
  it('counts where it fits the description, or the description does not say what there is', async () => {
    const all = {
      'x-payctl-action': 'update',
      'x-payctl-resource': '/purchases',
      'x-payctl-id': 'ref',
      'x-payctl-record': 'outcome',
      'x-payctl-body-record': 'outcome',
    };
    const model = { action: 'update', resource: '/purchases', recordId: 'ref' };
    const place = { response: 'outcome', request: 'outcome' };
    expect(await corrected(all)).toEqual({ model: { ...model, record: place }, messages: [] });
    const open = await corrected({ 'x-payctl-record': 'a.b' }, { type: 'object' });
    expect(open).toMatchObject({ model: { record: { response: 'a.b' } }, messages: [] });
  });

  it.each([
    [
      'action',
      'destroy',
      'one of list, search, create, get, replace, update, delete, delete-all, custom, document',
    ],
    [
      'action',
      ['update'],
      'one of list, search, create, get, replace, update, delete, delete-all, custom, document',
    ],
    ['resource', 'orders', 'the path of a collection, such as /orders'],
    ['resource', '/a\u0000', 'the path of a collection, such as /orders'],
    ['resource', `/${'a'.repeat(500)}`, 'the path of a collection, such as /orders'],
    ['id', '__proto__', 'a field of the record'],
    ['id', 'name.', 'a field of the record'],
    ['record', 'outcomes', 'the dotted path of a field of the body'],
    ['record', 'outcome.constructor', 'the dotted path of a field of the body'],
    ['record', '', 'the dotted path of a field of the body'],
    ['body-record', 'outcome..ref', 'the dotted path of a field of the body'],
    ['body-record', 1, 'the dotted path of a field of the body'],
  ])('is reported and ignored where x-payctl-%s is %j', async (name, value, expected) => {
    const { model, messages } = await corrected({ [`x-payctl-${name}`]: value });
    const { model: usual } = await corrected({});
    expect(model).toEqual(usual);
    expect(messages).toEqual([
      expect.stringMatching(
        /^"x-payctl-[a-z-]+" must be .*, not (?:".*"|a value of another type); it is ignored$/,
      ),
    ]);
    expect(messages[0]).toContain(`"x-payctl-${name}" must be ${expected}, not `);
  });

  it('is reported where it gives an action no status', async () => {
    const custom = { parameters: inPath, responses: answer(record), 'x-payctl-status': 7 };
    const get = { parameters: inPath, responses: answer(record) };
    const { index } = await imported(
      document({ '/orders/{order}': { get }, '/orders/{order}/park': { post: custom } }),
    );
    expect(index.issues.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['model_invalid', '/paths/~1orders~1{order}~1park/post'],
    ]);
  });
});
