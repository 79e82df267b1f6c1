import { describe, expect, it } from 'vitest';
import { columnsOfItems } from '../../src/descriptions/item-columns.ts';
import { ownKnown } from '../../src/features/api/known-description.ts';
import type { ColumnType, TypedColumn } from '../../src/output/typed-column.ts';

/** Columns in short: objects by their members, lists as arrays. */
function short(columns: readonly TypedColumn[]): unknown {
  const ofType = (type: ColumnType): unknown => {
    if (typeof type === 'string') return type;
    return 'list' in type ? [ofType(type.list)] : short(type.struct);
  };
  return Object.fromEntries(columns.map(({ name, type }) => [name, ofType(type)]));
}

const columnsOf = (properties: object, rest: object = {}) =>
  columnsOfItems({
    responseBodySchema: {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'object', properties } } },
      ...rest,
    },
  });

const typesOf = (properties: object, rest?: object) => short(columnsOf(properties, rest));

describe('the columns of the items of a list', () => {
  it('are those of the contract', async () => {
    const known = await ownKnown();
    const columnsOfCommand = (command: string) => {
      const operation = known.index.operations.find((one) => one.command === command);
      if (!operation) throw new Error(`no ${command}`);
      return columnsOfItems(known.operation(operation));
    };
    expect(
      columnsOfCommand('buyers gift-cards list')
        .slice(0, 3)
        .map(({ name }) => name),
    ).toEqual(['id', 'type', 'merchant_account_id']);
    expect(short(columnsOfCommand('audit-logs list'))).toEqual({
      ...{ id: 'text', type: 'text', merchant_account_id: 'text', timestamp: 'timestamp', action: 'text' },
      resource: { type: 'text', id: 'text', name: 'text' },
      user: {
        type: 'text',
        id: 'text',
        name: 'text',
        is_staff: 'boolean',
        status: 'text',
        email_address: 'text',
      },
    });
    expect(short(columnsOfCommand('digital-wallets list'))).toMatchObject({
      domain_names: ['text'],
      extra_configuration: { network_mid_list: [{ mid: 'text', scheme: 'text' }] },
      active_certificate_count: 'int64',
      created_at: 'timestamp',
    });
    expect(short(columnsOfCommand('api-logs list'))).toMatchObject({
      response_status_code: 'int64',
      response_body: 'json',
    });
    const lists = known.index.operations.filter(({ isList }) => isList);
    expect(
      lists.map((list) => columnsOfItems(known.operation(list))[0]).every((first) => first?.name === 'id'),
    ).toBe(true);
  });

  it('are 64-bit integers unless a limit or the format says that larger ones come', () => {
    const integer = (limits: object) => ({ type: 'integer', ...limits });
    expect(
      typesOf({
        plain: integer({}),
        int64: integer({ format: 'int64', maximum: 2 ** 63, minimum: -(2 ** 63) }),
        unsigned: integer({ maximum: 2 ** 64 }),
        below: integer({ exclusiveMinimum: -1e30 }),
        named: { type: ['integer', 'null'], format: 'uint64' },
        either: { type: ['integer', 'number'] },
      }),
    ).toEqual({
      plain: 'int64',
      int64: 'int64',
      unsigned: 'decimal',
      below: 'decimal',
      named: 'decimal',
      either: 'double',
    });
  });

  it('are times and dates by their formats, and texts by their listed values', () => {
    expect(
      typesOf({
        at: { type: 'string', format: 'date-time' },
        created_at: { type: 'string' },
        day: { type: ['string', 'null'], format: 'date' },
        kind: { const: 'buyer' },
        status: { enum: ['on', null, 'off'] },
        mixed: { enum: ['on', 1] },
        flag: { enum: [true, false] },
      }),
    ).toEqual({
      at: 'timestamp',
      created_at: 'text',
      day: 'date',
      kind: 'text',
      status: 'text',
      mixed: 'json',
      flag: 'boolean',
    });
  });

  it('are JSON where the value is not of one described type', () => {
    expect(
      typesOf({
        anything: {},
        map: { type: 'object', additionalProperties: { type: 'string' } },
        open: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
        closed: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
        empty: { type: 'object' },
        scalars: { type: ['string', 'integer'] },
        union: {
          oneOf: [
            { type: 'object', properties: { a: { type: 'string' } } },
            { type: 'object', properties: { b: {} } },
          ],
        },
        optional: { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'null' }] },
        array: { type: 'array' },
        maps: { type: 'array', items: { type: 'object' } },
        pair: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
        both: {
          allOf: [
            { type: 'object', properties: { a: { type: 'integer' } } },
            { properties: { b: { type: 'boolean' } } },
          ],
        },
      }),
    ).toEqual({
      ...{
        anything: 'json',
        map: 'json',
        open: 'json',
        closed: { a: 'text' },
        empty: 'json',
        scalars: 'json',
        union: 'json',
      },
      ...{
        optional: { a: 'text' },
        array: 'json',
        maps: 'json',
        pair: 'json',
        both: { a: 'int64', b: 'boolean' },
      },
    });
  });

  it('end where a schema contains itself, and where it is nested deeply or has very many members', () => {
    const $defs = {
      Node: {
        type: 'object',
        properties: { id: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      },
    };
    expect(typesOf({ node: { $ref: '#/$defs/Node' } }, { $defs })).toEqual({
      node: { id: 'text', children: 'json' },
    });
    const nested = (depth: number): object =>
      depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } };
    const deep = (depth: number): unknown => (depth === 0 ? 'json' : { a: deep(depth - 1) });
    expect(typesOf({ a: nested(20) })).toEqual({ a: deep(8) });
    const wide = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`m${n}`, { type: 'string' }]));
    const types = typesOf({
      one: { type: 'object', properties: wide },
      two: { type: 'object', properties: wide },
    });
    expect(types).toMatchObject({ one: { m399: 'text' }, two: 'json' });
  });

  it('have names that engines can tell apart', () => {
    expect(
      typesOf({
        ID: { type: 'integer' },
        id: { type: 'string' },
        o: { type: 'object', properties: { a: {}, A: {} } },
      }),
    ).toEqual({
      ID: 'int64',
      o: { a: 'json' },
    });
  });

  it('are found where the description has the list and the ID', () => {
    const item = { type: 'object', properties: { name: { type: 'string' }, uuid: { type: 'string' } } };
    const array = { type: 'array', items: item };
    expect(columnsOfItems({ responseBodySchema: array, listShape: 'array' }).map(({ name }) => name)).toEqual(
      ['name', 'uuid'],
    );
    const page = { type: 'object', properties: { data: { type: 'object', properties: { list: array } } } };
    const envelope = { items: 'data.list', itemId: 'uuid' };
    expect(columnsOfItems({ responseBodySchema: page, envelope }).map(({ name }) => name)).toEqual([
      'uuid',
      'name',
    ]);
    expect(columnsOfItems({ responseBodySchema: undefined })).toEqual([]);
    expect(columnsOfItems({ responseBodySchema: { type: 'string' } })).toEqual([]);
  });

  it('have none for a name that SQL cannot have', () => {
    const items = { type: 'object', properties: { id: { type: 'string' }, '': {}, 'a\0b': {} } };
    expect(columnsOfItems({ responseBodySchema: { type: 'array', items }, listShape: 'array' })).toEqual([
      { name: 'id', type: 'text' },
    ]);
  });
});
