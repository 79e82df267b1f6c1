import { answer, document, type Json } from './describe.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: Json, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});
const page = (list: string, item: string, others: Json) =>
  object({ [list]: { type: 'array', items: ref(item) }, ...others });
const query = (parameters: Json) =>
  Object.entries(parameters).map(([name, schema]) => ({ name, in: 'query', schema }));
const inPath = (...names: readonly string[]) =>
  names.map((name) => ({ name, in: 'path', required: true, schema: text }));
const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
const form = (schema: Json) => ({ content: { 'application/x-www-form-urlencoded': { schema } } });
const done = { 200: { description: 'Done.' } };
const ten = { ...integer, maximum: 10 };
const nullable = { type: ['string', 'null'] };

/** Styles of other services that are unlike those of the contract: each area of paths has another. */
export function foreignDescription(): Json {
  const patch = { schema: { type: 'object' } };
  return document(
    {
      // Everything is a POST, with the verb at the end.
      '/accounts/list': {
        post: { requestBody: json(object({ id: text })), responses: answer(page('accounts', 'Thing', {})) },
      },
      '/accounts/get': { post: { requestBody: json(object({ id: text })), responses: answer(ref('Thing')) } },
      '/accounts/remove': { post: { requestBody: json(object({ id: text })), responses: done } },
      // File suffixes, forms, and a POST that updates; addresses are relative.
      '/Calls.json': {
        get: {
          parameters: query({ PageSize: ten, Page: integer, PageToken: text }),
          responses: answer(page('calls', 'Thing', { next_page_uri: nullable, page: integer })),
        },
        post: { requestBody: form(object({ name: text })), responses: answer(ref('Thing'), '201') },
      },
      '/Calls/{id}.json': {
        parameters: inPath('id'),
        get: { responses: answer(ref('Thing')) },
        post: { requestBody: form(object({ name: text })), responses: answer(ref('Thing')) },
        delete: { responses: { 204: { description: 'Gone.' } } },
      },
      // A collection that can be deleted, and a PATCH in three media types.
      '/spaces/{space}/pods': {
        parameters: inPath('space'),
        get: {
          parameters: query({ continue: text, limit: ten }),
          responses: answer(page('items', 'Thing', { metadata: object({ continue: text }) })),
        },
        post: { requestBody: json(ref('Thing')), responses: answer(ref('Thing'), '201') },
        delete: { responses: done },
      },
      '/spaces/{space}/pods/{id}': {
        parameters: inPath('space', 'id'),
        get: { responses: answer(ref('Thing')) },
        put: { requestBody: json(ref('Thing')), responses: answer(ref('Thing')) },
        patch: {
          requestBody: {
            content: {
              'application/json-patch+json': patch,
              'application/merge-patch+json': patch,
              'application/strategic-merge-patch+json': patch,
            },
          },
          responses: answer(ref('Thing')),
        },
        delete: { responses: done },
      },
      // Offsets that are texts, and lists in brackets.
      '/tasks': {
        get: {
          parameters: [
            ...query({ offset: text, limit: ten }),
            {
              name: 'expand',
              in: 'query',
              style: 'deepObject',
              explode: true,
              schema: { type: 'array', items: text },
            },
          ],
          responses: answer(page('data', 'Thing', { next_page: object({ offset: text, uri: text }) })),
        },
      },
      // A cursor of the same name as its parameter, and a text for the page.
      '/cards': {
        get: {
          parameters: query({ cursor: text, limit: ten }),
          responses: answer(page('cards', 'Thing', { cursor: text })),
        },
      },
      '/charges/search': {
        get: {
          parameters: query({ page: text, limit: ten }),
          responses: answer(page('data', 'Thing', { has_more: { type: 'boolean' }, next_page: nullable })),
        },
      },
      '/charges/{id}:capture': { post: { parameters: inPath('id'), responses: done } },
    },
    { components: { schemas: { Thing: object({ id: text, name: text }, ['id']) } } },
  );
}
