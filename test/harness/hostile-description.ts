/** Names that every object of JavaScript already has. */
export const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'] as const;

/** What a terminal would obey, or a reader would not see: an escape sequence, line ends, and a text that runs backwards. */
export const UNSEEN = 'a\u001b[31mb\nc\r\td\u202ee\u2028f\u009bg';

/** Whether a text has a character, other than line ends and tabs, that a terminal obeys or a reader does not see. */
export function hasUnseen(text: string): boolean {
  return /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u.test(text.replaceAll(/[\n\t]/g, ''));
}

/**
 * A description whose every name and text is `name`: title, tag, operation IDs, segments of paths, parameters, headers, members,
 * enumerations, schemas, security scheme and scope. It has a list, one item of it, and all changes.
 */
export function hostileDescription(name: string): Readonly<Record<string, unknown>> {
  const own = (value: unknown) => Object.fromEntries([[name, value]]);
  const segment = encodeURIComponent(name);
  const schema = { $ref: `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` };
  const texts = { summary: name, description: name, tags: [name], security: [own([name])] };
  const values = { type: 'string', enum: [name, 'plain'], description: name };
  const query = (parameter: string) => ({ name: parameter, in: 'query', description: name, schema: values });
  const answer = (content: unknown) => ({
    '200': {
      description: name,
      headers: own({ schema: values }),
      content: { 'application/json': { schema: content } },
    },
  });
  const body = (type: string) => ({
    required: true,
    content: { [type]: { schema, encoding: own({ style: 'form' }) } },
  });
  const page = {
    type: 'object',
    properties: { items: { type: 'array', items: schema }, next_cursor: { type: ['string', 'null'] } },
  };
  const item = [{ name, in: 'path', required: true, description: name, schema: { type: 'string' } }];
  const headers = /^[\w-]+$/.test(name) ? [{ name, in: 'header', schema: values }] : [];
  return {
    openapi: '3.1.0',
    info: { title: name, version: name, description: name },
    servers: [{ url: 'https://api.example.com', description: name, variables: own({ default: name }) }],
    tags: [{ name, description: name }],
    paths: {
      [`/${segment}`]: {
        get: {
          operationId: name,
          ...texts,
          parameters: [query(name), query('cursor'), ...headers],
          responses: answer(page),
        },
        post: {
          operationId: `${name}2`,
          ...texts,
          requestBody: body('application/json'),
          responses: answer(schema),
        },
      },
      [`/${segment}/{${name}}`]: {
        parameters: item,
        get: { operationId: `${name}3`, ...texts, responses: answer(schema) },
        put: {
          operationId: `${name}4`,
          ...texts,
          requestBody: body('application/x-www-form-urlencoded'),
          responses: answer(schema),
        },
        patch: {
          operationId: `${name}5`,
          ...texts,
          requestBody: body('multipart/form-data'),
          responses: answer(schema),
        },
        delete: {
          operationId: `${name}6`,
          // The only name that every object has and a command can have.
          ...(name === 'constructor' && { 'x-payctl-name': name }),
          ...texts,
          responses: { '204': { description: name } },
        },
      },
    },
    components: {
      schemas: own({
        type: 'object',
        title: name,
        description: name,
        required: ['id', name],
        properties: {
          id: { type: 'string' },
          ...own(values),
          status: values,
          inner: { type: 'object', properties: own(values) },
        },
      }),
      securitySchemes: own({ type: 'http', scheme: 'bearer', description: name }),
    },
  };
}
