/** A member of a JSON document. */
type Json = Readonly<Record<string, unknown>>;

/** What a client does with widgets. */
type What = 'list' | 'get' | 'create' | 'change' | 'delete';

/** A request, and the operation that it is for. */
export type StyleRequest = {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
};

/** A description in the style of one family of services, about widgets that can be listed, created, read, changed and deleted. */
export type Style = {
  readonly name: string;
  readonly document: Json;
  readonly contentType?: string;
  /** The request that does something with the record of an ID, or with members. */
  readonly request: (what: What, given: { readonly id?: string; readonly members?: Json }) => StyleRequest;
  /** The records of a list, and that of any other response. */
  readonly items: (body: Json) => readonly Json[];
  readonly record: (body: Json) => Json;
  /** The members of a record, and its ID. */
  readonly members: (record: Json) => Json;
  readonly id: (record: Json) => string;
};

const TEXT = { type: 'string' } as const;
const UUID = { type: 'string', format: 'uuid', readOnly: true } as const;
const FIELDS = {
  label: TEXT,
  colour: { type: 'string', enum: ['red', 'green', 'blue'] },
  created_at: { type: 'string', format: 'date-time', readOnly: true },
};
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const array = (items: object) => ({ type: 'array', items });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const at = (value: unknown, ...path: readonly string[]) =>
  path.reduce<unknown>((above, name) => (above as Json)[name], value) as Json;

type Parts = {
  readonly title: string;
  readonly collection?: string;
  readonly item?: string;
  readonly parameter?: string;
  readonly record: object;
  readonly list: object;
  readonly single?: object;
  readonly sent?: object;
  readonly query?: readonly string[];
  /** The headers of a page. */
  readonly headers?: readonly string[];
  readonly mediaType?: string;
  readonly bodyType?: string;
  readonly create?: 'put' | 'post';
  readonly change?: 'put' | 'patch' | 'post';
  /** The ids of the operations that create and change. */
  readonly ids?: { readonly create: string; readonly change: string };
};

const IDS = { create: 'add_widget', change: 'edit_widget' };

/** The document of a style: five operations on two paths. */
function describe(parts: Parts): Json {
  const { collection = '/widgets', parameter = 'widget_id', mediaType = 'application/json' } = parts;
  const {
    item = `${collection}/{${parameter}}`,
    bodyType = mediaType,
    create = 'post',
    change = 'patch',
    ids = IDS,
  } = parts;
  const { single = ref('Widget'), sent = object({ label: TEXT, colour: FIELDS.colour }, []) } = parts;
  const answer = (schema: object) => ({ description: 'Done.', content: { [mediaType]: { schema } } });
  const headers = Object.fromEntries((parts.headers ?? []).map((name) => [name, { schema: TEXT }]));
  const requestBody = { content: { [bodyType]: { schema: sent } } };
  const own = { name: parameter, in: 'path', required: true, schema: TEXT };
  const query = (parts.query ?? []).map((name) => ({ name, in: 'query', schema: TEXT }));
  return {
    openapi: '3.1.0',
    info: { title: parts.title, version: '1' },
    paths: {
      [collection]: {
        get: {
          operationId: 'list_widgets',
          parameters: query,
          responses: { 200: { ...answer(parts.list), headers } },
        },
        [create]: { operationId: ids.create, requestBody, responses: { 201: answer(single) } },
      },
      [item]: {
        parameters: [own],
        get: { operationId: 'show_widget', responses: { 200: answer(single) } },
        [change]: { operationId: ids.change, requestBody, responses: { 200: answer(single) } },
        delete: { operationId: 'drop_widget', responses: { 204: { description: 'Gone.' } } },
      },
    },
    components: { schemas: { Widget: parts.record } },
  };
}

type Paths = {
  readonly collection?: string;
  readonly suffix?: string;
  readonly create?: string;
  readonly change?: string;
  readonly ids?: { readonly create: string; readonly change: string };
  readonly body?: (members: Json) => Json;
};

/** The requests of a style with a path for each record. */
function requests({
  collection = '/widgets',
  suffix = '',
  create = 'POST',
  change = 'PATCH',
  ids = IDS,
  body = (members) => members,
}: Paths = {}): Style['request'] {
  const all = { list: 'list_widgets', get: 'show_widget', delete: 'drop_widget', ...ids };
  const methods = { list: 'GET', get: 'GET', create, change, delete: 'DELETE' };
  return (what, { id, members }) => ({
    operationId: all[what],
    method: methods[what],
    path: (id === undefined ? collection : `${collection}/${id}`) + suffix,
    ...(members && { body: body(members) }),
  });
}

const WIDGET = object({ id: UUID, ...FIELDS }, ['id', 'created_at']);
const PLAIN = {
  request: requests(),
  members: (record: Json) => record,
  id: ({ id }: Json) => String(id),
} as const;
const pages = object({ next_cursor: { type: ['string', 'null'] }, count: { type: 'integer' } });

/** Every style, each as one family of services writes it. */
export const STYLES: readonly Style[] = [
  {
    ...PLAIN,
    name: 'a member "data"',
    document: describe({
      title: 'Wrapped in data',
      record: WIDGET,
      list: object({ data: array(ref('Widget')), meta: pages }),
      single: object({ data: ref('Widget') }),
      sent: object({ data: object({ label: TEXT, colour: FIELDS.colour }, []) }),
      query: ['cursor'],
    }),
    items: (body) => at(body, 'data') as unknown as Json[],
    record: (body) => at(body, 'data'),
    request: requests({ body: (data) => ({ data }) }),
  },
  {
    ...PLAIN,
    name: 'a member with the name of the record',
    document: describe({
      title: 'Wrapped by name',
      record: WIDGET,
      list: object({ widgets: array(ref('Widget')), meta: pages, links: { type: 'object' } }),
      single: object({ widget: ref('Widget'), links: { type: 'object' } }, ['widget']),
      sent: object({ widget: object({ label: TEXT, colour: FIELDS.colour }, []) }),
    }),
    items: (body) => at(body, 'widgets') as unknown as Json[],
    record: (body) => at(body, 'widget'),
    request: requests({ body: (widget) => ({ widget }) }),
  },
  {
    ...PLAIN,
    name: 'a member with a longer name of the record',
    document: describe({
      title: 'Wrapped by a longer name',
      record: WIDGET,
      list: object({ garden_widgets: array(ref('Widget')), meta: pages }),
      single: object({ garden_widget: ref('Widget') }, []),
    }),
    items: (body) => at(body, 'garden_widgets') as unknown as Json[],
    record: (body) => at(body, 'garden_widget'),
  },
  {
    ...PLAIN,
    name: 'a member with another name than the record',
    document: describe({
      title: 'Wrapped by another name',
      record: object({ gid: { type: 'string', example: '12345' }, ...FIELDS }, []),
      parameter: 'widget_gid',
      list: object({ things: array(ref('Widget')), total_pages: { type: 'integer' } }),
      single: object({ thing: ref('Widget') }, []),
    }),
    items: (body) => at(body, 'things') as unknown as Json[],
    record: (body) => at(body, 'thing'),
    id: ({ gid }) => String(gid),
  },
  {
    ...PLAIN,
    name: 'a result with errors next to it',
    document: describe({
      title: 'Wrapped in a result',
      record: WIDGET,
      list: object({
        success: { type: 'boolean' },
        errors: array(object({ code: { type: 'integer' } })),
        result: object({ items: array(ref('Widget')), total: { type: 'integer' } }),
      }),
      single: object({
        success: { type: 'boolean' },
        errors: array({ type: 'object' }),
        result: ref('Widget'),
      }),
      change: 'put',
    }),
    request: requests({ change: 'PUT' }),
    items: (body) => at(body, 'result', 'items') as unknown as Json[],
    record: (body) => at(body, 'result'),
  },
  {
    ...PLAIN,
    name: 'two members, one in the other',
    document: describe({
      title: 'Wrapped twice',
      record: WIDGET,
      list: object({ response: object({ widgets: array(ref('Widget')) }) }),
      single: object({ response: object({ widget: ref('Widget') }) }),
      sent: object({ widget: object({ label: TEXT, colour: FIELDS.colour }, []) }),
    }),
    items: (body) => at(body, 'response', 'widgets') as unknown as Json[],
    record: (body) => at(body, 'response', 'widget'),
    request: requests({ body: (widget) => ({ widget }) }),
  },
  {
    ...PLAIN,
    name: 'items with the record in a member, and records beside it',
    document: describe({
      title: 'Wrapped in items',
      record: WIDGET,
      list: object({
        list: array(object({ widget: ref('Widget'), maker: object({ id: TEXT }) }, ['widget'])),
        next_offset: TEXT,
      }),
      single: object({ widget: ref('Widget'), maker: object({ id: TEXT }) }, ['widget']),
      query: ['offset'],
    }),
    items: (body) => (at(body, 'list') as unknown as Json[]).map((item) => at(item, 'widget')),
    record: (body) => at(body, 'widget'),
  },
  {
    ...PLAIN,
    name: 'items with the record in a member, by a schema of their own',
    document: describe({
      title: 'Wrapped in items of their own',
      record: WIDGET,
      list: array(object({ widget: WIDGET })),
      single: object({ widget: ref('Widget') }),
      sent: object({ widget: object({ label: TEXT, colour: FIELDS.colour }, []) }),
    }),
    items: (body) => (body as unknown as Json[]).map((item) => at(item, 'widget')),
    record: (body) => at(body, 'widget'),
    request: requests({ body: (widget) => ({ widget }) }),
  },
  listsOfOne('a list of one record, which a PUT of the collection creates', {}),
  listsOfOne('a list of one record next to the ID of the response', { Id: UUID, Status: TEXT }),
  listsOfOne('a list of one record next to the id of the response', { id: UUID, status: TEXT }),
  {
    ...PLAIN,
    name: 'HAL',
    document: describe({
      title: 'HAL',
      mediaType: 'application/hal+json',
      bodyType: 'application/json',
      record: object({ id: UUID, ...FIELDS, _links: object({ self: object({ href: TEXT }) }) }, [
        'id',
        '_links',
      ]),
      list: object(
        {
          _embedded: object({ widgets: array(ref('Widget')) }),
          _links: object({ self: object({ href: TEXT }), next: object({ href: TEXT }) }, ['self']),
          total: { type: 'integer' },
        },
        ['_embedded', '_links'],
      ),
      query: ['page'],
    }),
    items: (body) => at(body, '_embedded', 'widgets') as unknown as Json[],
    record: (body) => body,
  },
  {
    ...PLAIN,
    name: 'JSON:API',
    contentType: 'application/vnd.api+json',
    document: describe({
      title: 'JSON:API',
      mediaType: 'application/vnd.api+json',
      record: object({ type: { const: 'widgets' }, id: UUID, attributes: object(FIELDS, ['created_at']) }),
      list: object({ data: array(ref('Widget')), links: object({ next: { type: ['string', 'null'] } }, []) }),
      single: object({ data: ref('Widget') }),
      sent: object({
        data: object({
          type: { const: 'widgets' },
          attributes: object({ label: TEXT, colour: FIELDS.colour }, []),
        }),
      }),
    }),
    items: (body) => at(body, 'data') as unknown as Json[],
    record: (body) => at(body, 'data'),
    request: requests({ body: (attributes) => ({ data: { type: 'widgets', attributes } }) }),
    members: (record) => at(record, 'attributes'),
  },
  {
    ...PLAIN,
    name: 'names in metadata',
    document: describe({
      title: 'Names in metadata',
      collection: '/api/v1/widgets',
      parameter: 'name',
      record: object(
        {
          apiVersion: TEXT,
          kind: TEXT,
          metadata: object({ name: TEXT, uid: TEXT, labels: { type: 'object' } }, ['name']),
          spec: object(FIELDS, []),
        },
        ['metadata', 'spec'],
      ),
      list: object({ items: array(ref('Widget')), metadata: object({ continue: TEXT }, []) }, [
        'items',
        'metadata',
      ]),
      sent: object({
        metadata: object({ name: TEXT }),
        spec: object({ label: TEXT, colour: FIELDS.colour }, []),
      }),
      change: 'put',
    }),
    items: (body) => at(body, 'items') as unknown as Json[],
    record: (body) => body,
    request: requests({
      collection: '/api/v1/widgets',
      change: 'PUT',
      body: (spec) => ({ metadata: { name: 'first' }, spec }),
    }),
    members: (record) => at(record, 'spec'),
    id: (record) => String(at(record, 'metadata').name),
  },
  {
    ...PLAIN,
    name: 'an ID with another name',
    document: describe({
      title: 'Another name for the ID',
      parameter: 'widget_gid',
      record: object({ gid: { type: 'string', readOnly: true }, ...FIELDS }, ['gid']),
      list: object({ data: array(ref('Widget')) }),
      single: object({ data: ref('Widget') }),
      sent: object({ data: object({ label: TEXT, colour: FIELDS.colour }, []) }),
    }),
    items: (body) => at(body, 'data') as unknown as Json[],
    record: (body) => at(body, 'data'),
    request: requests({ body: (data) => ({ data }) }),
    id: ({ gid }) => String(gid),
  },
  {
    ...PLAIN,
    name: 'a token in the path and a number in the record',
    document: describe({
      title: 'A token in the path',
      parameter: 'token',
      record: object({ id: { type: 'integer' }, token: { type: 'string', readOnly: true }, ...FIELDS }, [
        'id',
        'token',
      ]),
      list: object({ data: array(ref('Widget')), has_more: { type: 'boolean' } }),
    }),
    items: (body) => at(body, 'data') as unknown as Json[],
    record: (body) => body,
    id: ({ token }) => String(token),
  },
  {
    ...PLAIN,
    name: 'a guid in the path and an ID of the caller in the record',
    document: describe({
      title: 'A guid in the path',
      parameter: 'widget_guid',
      record: object({ id: TEXT, guid: { type: 'string', readOnly: true }, ...FIELDS }, ['guid']),
      list: object({ widgets: array(ref('Widget')) }),
      single: object({ widget: ref('Widget') }),
    }),
    items: (body) => at(body, 'widgets') as unknown as Json[],
    record: (body) => at(body, 'widget'),
    id: ({ guid }) => String(guid),
  },
  {
    ...PLAIN,
    name: 'paths with a file suffix, and forms',
    contentType: 'application/x-www-form-urlencoded',
    document: describe({
      title: 'Suffixes',
      collection: '/2010/Widgets.json',
      item: '/2010/Widgets/{Sid}.json',
      parameter: 'Sid',
      bodyType: 'application/x-www-form-urlencoded',
      record: object({ sid: { type: 'string', pattern: '^WI[0-9a-f]{32}$', readOnly: true }, ...FIELDS }, [
        'sid',
      ]),
      list: object({
        widgets: array(ref('Widget')),
        next_page_uri: { type: ['string', 'null'] },
        page: { type: 'integer' },
      }),
      change: 'post',
    }),
    request: requests({ collection: '/2010/Widgets', suffix: '.json', change: 'POST' }),
    items: (body) => at(body, 'widgets') as unknown as Json[],
    record: (body) => body,
    id: ({ sid }) => String(sid),
  },
  {
    ...PLAIN,
    name: 'forms whose names have another notation than those of the record',
    contentType: 'application/x-www-form-urlencoded',
    document: describe({
      title: 'Two notations',
      bodyType: 'application/x-www-form-urlencoded',
      record: WIDGET,
      list: object({ widgets: array(ref('Widget')), next_page_uri: { type: ['string', 'null'] } }),
      sent: object({ Label: TEXT, Colour: FIELDS.colour }, []),
      query: ['Colour', 'PageSize', 'PageToken'],
      change: 'post',
    }),
    request: requests({
      change: 'POST',
      body: ({ label, colour }) => JSON.parse(JSON.stringify({ Label: label, Colour: colour })) as Json,
    }),
    items: (body) => at(body, 'widgets') as unknown as Json[],
    record: (body) => body,
  },
  {
    ...PLAIN,
    name: 'arrays, with the next cursor in a header',
    document: describe({
      title: 'Cursors in headers',
      record: WIDGET,
      list: array(ref('Widget')),
      query: ['after_cursor'],
      headers: ['X-After-Cursor'],
    }),
    items: (body) => body as unknown as Json[],
    record: (body) => body,
  },
  {
    ...PLAIN,
    name: 'an iterator, and whether a page is the last one',
    document: describe({
      title: 'Iterators',
      record: WIDGET,
      list: object({ data: array(ref('Widget')), iterator: TEXT, done: { type: 'boolean' } }, [
        'data',
        'done',
      ]),
      query: ['iterator'],
    }),
    items: (body) => at(body, 'data') as unknown as Json[],
    record: (body) => body,
  },
  {
    ...PLAIN,
    name: 'cursors "before" and "after" for the parameters of these names',
    document: describe({
      title: 'Before and after',
      record: WIDGET,
      list: object({
        data: array(ref('Widget')),
        list_metadata: object({ before: { type: ['string', 'null'] }, after: { type: ['string', 'null'] } }),
      }),
      query: ['before', 'after', 'limit'],
    }),
    items: (body) => at(body, 'data') as unknown as Json[],
    record: (body) => body,
  },
  {
    ...PLAIN,
    name: 'a text "next" for the parameter of that name',
    document: describe({
      title: 'Next',
      record: WIDGET,
      list: object({ pagination: object({ next: TEXT }, []), models: array(ref('Widget')) }),
      query: ['next'],
    }),
    items: (body) => at(body, 'models') as unknown as Json[],
    record: (body) => body,
  },
  {
    ...PLAIN,
    name: 'procedures: POST for everything',
    document: procedures('/widgets/'),
    request: procedureRequests('/widgets/'),
    items: (body) => at(body, 'widgets') as unknown as Json[],
    record: (body) => at(body, 'widget'),
    id: (record) => String(record.widget_id),
  },
  {
    ...PLAIN,
    name: 'procedures with dots',
    document: procedures('/api/widgets.'),
    request: procedureRequests('/api/widgets.'),
    items: (body) => at(body, 'widgets') as unknown as Json[],
    record: (body) => at(body, 'widget'),
    id: (record) => String(record.widget_id),
  },
];

/** The style of a service whose every response has its records in a list, next to these members. */
function listsOfOne(name: string, beside: object): Style {
  const Widgets = array(ref('Widget'));
  const ids = { create: 'create_widgets', change: 'updateWidget' };
  return {
    ...PLAIN,
    name,
    document: describe({
      title: 'Lists of one',
      collection: '/Widgets',
      parameter: 'WidgetID',
      record: object({ WidgetID: UUID, ...FIELDS }, []),
      list: object({ ...beside, Widgets }, []),
      single: object({ ...beside, Widgets, Warnings: array(object({ Message: TEXT })) }, []),
      sent: object({ Widgets: array(object({ label: TEXT, colour: FIELDS.colour }, [])) }),
      create: 'put',
      change: 'post',
      ids,
    }),
    items: (body) => at(body, 'Widgets') as unknown as Json[],
    record: (body) => at(body, 'Widgets', '0'),
    request: requests({
      collection: '/Widgets',
      create: 'PUT',
      change: 'POST',
      ids,
      body: (widget) => ({ Widgets: [widget] }),
    }),
    id: ({ WidgetID }) => String(WidgetID),
  };
}

/** The document of a service whose every operation is a POST. */
function procedures(prefix: string): Json {
  const key = { widget_id: TEXT };
  const members = { label: TEXT, colour: FIELDS.colour };
  const single = object({ widget: ref('Widget'), request_id: TEXT });
  const post = (operationId: string, sent: object, answer: object) => ({
    post: {
      operationId,
      requestBody: { required: true, content: { 'application/json': { schema: sent } } },
      responses: { 200: { description: 'Done.', content: { 'application/json': { schema: answer } } } },
    },
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Procedures', version: '1' },
    paths: {
      [`${prefix}list`]: post(
        'list',
        object({ cursor: TEXT, count: { type: 'integer' } }, []),
        object({
          widgets: array(ref('Widget')),
          next_cursor: { type: ['string', 'null'] },
          request_id: TEXT,
        }),
      ),
      [`${prefix}get`]: post('get', object(key), single),
      [`${prefix}create`]: post('create', object(members, []), single),
      [`${prefix}update`]: post('change', object({ ...key, ...members }, ['widget_id']), single),
      [`${prefix}delete`]: post('delete', object(key), object({ request_id: TEXT })),
    },
    components: {
      schemas: {
        Widget: object({ widget_id: { type: 'string', format: 'uuid' }, ...FIELDS }, ['widget_id']),
      },
    },
  };
}

function procedureRequests(prefix: string): Style['request'] {
  const words = { list: 'list', get: 'get', create: 'create', change: 'update', delete: 'delete' };
  return (what, { id, members }) => ({
    operationId: what,
    method: 'POST',
    path: prefix + words[what],
    body: { ...(id !== undefined && { widget_id: id }), ...members },
  });
}
