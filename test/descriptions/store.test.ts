import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importOnce } from '../../src/descriptions/file-import.ts';
import {
  importFolder,
  operationReader,
  readImport,
  readIndex,
  readOperation,
} from '../../src/descriptions/read-store.ts';
import { removeUnused, storeImport } from '../../src/descriptions/store.ts';
import { freshDirectory, modeOf } from '../config/config-directory.ts';
import { answer, document, get, imported, only } from './describe.ts';
import { largeDescription } from './large-description.ts';

const tree = get(
  { operationId: 'tree', responses: answer({ $ref: '#/components/schemas/Tree' }) },
  {
    components: {
      schemas: {
        Tree: {
          type: 'object',
          properties: {
            parts: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
            '\u00e9\u2028': { const: '\u{1f4a9}' },
          },
        },
      },
    },
  },
);

describe('a stored import', () => {
  it('gives back its index and every operation with its schemas', { tags: 'slow' }, async () => {
    const data = freshDirectory();
    const whole = await imported(largeDescription());
    const folder = importFolder(data, storeImport(data, whole));
    const index = readIndex(folder);
    expect({ ...index, operations: index.operations.map(({ at: _, ...operation }) => operation) }).toEqual(
      whole.index,
    );
    const { records, definitions } = readImport(folder, index);
    expect(records).toHaveLength(150);
    expect([...definitions.keys()]).toEqual([...whole.definitions.keys()]);
    for (const [number, operation] of index.operations.entries()) {
      expect(readOperation(folder, operation)).toMatchObject(whole.records[number]?.operation ?? {});
    }
  });

  it('holds below $defs what a schema refers to, and nothing else', async () => {
    const data = freshDirectory();
    const whole = await imported(tree);
    const folder = importFolder(data, storeImport(data, whole));
    const [indexed] = readIndex(folder).operations;
    if (!indexed) throw new Error('no operation');
    expect(readOperation(folder, indexed)).toEqual(only(whole));
    expect(readOperation(folder, indexed, { response: false })).not.toHaveProperty('responseBodySchema');
  });

  it('can be read with definitions that its operations share, also after its folder is gone', async () => {
    const data = freshDirectory();
    const schema = { $ref: '#/components/schemas/Node' };
    const body = { requestBody: { content: { 'application/json': { schema } } } };
    const node = {
      type: 'object',
      required: ['id', 'next'],
      properties: {
        id: { type: 'string', readOnly: true },
        next: schema,
        gone: { $ref: '#/components/schemas/Gone' },
      },
    };
    const whole = await imported(
      document(
        {
          '/nodes': {
            get: { responses: answer(schema) },
            post: { ...body, responses: answer(schema, '201') },
          },
        },
        { components: { schemas: { Node: node, Gone: { const: 1 } } } },
      ),
    );
    const folder = importFolder(data, storeImport(data, whole));
    const index = readIndex(folder);
    const plain = index.operations.map((one) => readOperation(folder, one));
    const read = operationReader(folder, index);
    rmSync(folder, { recursive: true });
    const shared = index.operations.map((one) => read(one));
    expect(shared).toEqual(plain);
    const definitionsOf = (found: unknown) => (found as { $defs: { Node: { required: unknown } } }).$defs;
    const [got, made] = shared.map((one) => definitionsOf(one.responseBodySchema));
    expect(got).toBe(made);
    const sent = definitionsOf(shared[1]?.requestSchema);
    expect([got?.Node.required, sent.Node.required]).toEqual([['id', 'next'], ['next']]);
  });

  it('is readable by its owner alone', async () => {
    const data = freshDirectory();
    const folder = importFolder(data, storeImport(data, await imported(tree)));
    expect([folder, join(data, 'descriptions')].map(modeOf)).toEqual(['700', '700']);
    expect(readdirSync(folder).map((name) => modeOf(join(folder, name)))).toEqual(['600', '600', '600']);
  });

  it('is the same folder for the same document, and replaces what it holds', async () => {
    const data = freshDirectory();
    const first = storeImport(data, await imported(tree));
    const second = storeImport(
      data,
      await imported(tree, { file: 'renamed.json', builtIn: new Map([['things get', 'GET /other']]) }),
    );
    expect(second).toBe(first);
    const folder = importFolder(data, first);
    expect(readIndex(folder)).toMatchObject({ file: 'renamed.json', operations: [{ command: 'tree' }] });
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"operations": [], "issues": []}',
    '{"operations": [], "issues": [], "data": {"file": "../../x", "table": [0, 1]}}',
  ])('says that it is damaged where its index is %j', async (text) => {
    const data = freshDirectory();
    const folder = importFolder(data, storeImport(data, await imported(tree)));
    writeFileSync(join(folder, 'index.json'), text);
    expect(() => readIndex(folder)).toThrow(expect.objectContaining({ code: 'description_damaged' }));
  });

  it('says that it is damaged where a line of its index is not as it was written', async () => {
    const data = freshDirectory();
    const folder = importFolder(data, storeImport(data, await imported(tree)));
    const path = join(folder, 'index.json');
    const { sum, index } = JSON.parse(readFileSync(path, 'utf8'));
    for (const change of [{ id: 7 }, { id: 'trex' }, { path: null }, { scopes: 'x' }, { at: [0, 0.5, 1] }]) {
      const operations = [{ ...index.operations[0], ...change }];
      writeFileSync(path, JSON.stringify({ sum, index: { ...index, operations } }));
      expect(() => readIndex(folder), JSON.stringify(change)).toThrow(
        expect.objectContaining({ code: 'description_damaged' }),
      );
    }
  });

  it('says that it is gone, or that its operations are damaged, wherever a byte of them has changed', {
    tags: 'slow',
  }, async () => {
    const data = freshDirectory();
    const folder = importFolder(data, storeImport(data, await imported(tree)));
    const index = readIndex(folder);
    const [indexed] = index.operations;
    if (!indexed?.at) throw new Error('no operation');
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.data'));
    const bytes = readFileSync(join(folder, file));
    const isDamaged = expect.objectContaining({
      code: 'description_damaged',
      message: `The imported description in ${folder} is damaged`,
      hint: 'Import it again: payctl api import FILE',
    });
    for (let at = 0; at < bytes.length; at += 1) {
      if (bytes[at] === 0x0a) continue;
      const changed = Buffer.from(bytes);
      changed[at] = bytes[at] === 0x61 ? 0x62 : 0x61;
      writeFileSync(join(folder, file), changed);
      expect(() => readImport(folder, index), String(at)).toThrow(isDamaged);
      const isOfIt = at < indexed.at[1];
      if (isOfIt) expect(() => readOperation(folder, indexed), String(at)).toThrow(isDamaged);
    }
    for (const short of ['', 'x', bytes.subarray(0, -2)]) {
      writeFileSync(join(folder, file), short);
      expect(() => readImport(folder, index)).toThrow(isDamaged);
    }
    rmSync(join(folder, file));
    const isGone = expect.objectContaining({ code: 'description_missing' });
    expect(() => readOperation(folder, indexed)).toThrow(isGone);
    rmSync(folder, { recursive: true });
    expect(() => readIndex(folder)).toThrow(isGone);
  });

  it('stays as long as something refers to it, or an hour', async () => {
    const data = freshDirectory();
    const names = [];
    for (const path of ['/a', '/b', '/c'])
      names.push(storeImport(data, await imported(document({ [path]: { get: { responses: {} } } }))));
    const hour = 60 * 60 * 1000;
    const [used = '', old = '', young = ''] = names;
    utimesSync(importFolder(data, young), new Date(), new Date(Date.now() + hour));
    mkdirSync(join(data, 'descriptions', 'not-ours'));
    removeUnused(data, new Set([used]), { now: Date.now() + hour + 60_000 });
    expect(readdirSync(join(data, 'descriptions')).sort()).toEqual([used, young, 'not-ours'].sort());
    expect(old).not.toBe('');
  });
});

describe('a file that is imported at its first use', () => {
  const options = { name: 'PAYCTL_DESCRIPTION', builtIn: () => new Map() };

  it('is read once, and again where it has changed', async () => {
    const data = freshDirectory();
    const file = join(freshDirectory(), 'openapi.json');
    writeFileSync(file, JSON.stringify(tree));
    const { folder } = await importOnce(data, file, options);
    const { mtimeMs } = statSync(join(folder, 'index.json'));
    expect(await importOnce(data, file, options)).toMatchObject({ folder });
    expect(statSync(join(folder, 'index.json')).mtimeMs).toBe(mtimeMs);
    writeFileSync(file, JSON.stringify(get({ operationId: 'other' })));
    const { folder: changed } = await importOnce(data, file, options);
    expect(changed).not.toBe(folder);
    expect(readIndex(changed).operations[0]?.id).toBe('other');
    expect(removeUnused(data, new Set(), { now: Date.now() + 3 * 60 * 60 * 1000 })).toEqual([]);
    expect(readIndex(folder).operations[0]?.id).toBe('tree');
  });

  it('is imported again where its import is gone', async () => {
    const data = freshDirectory();
    const file = join(freshDirectory(), 'openapi.json');
    writeFileSync(file, JSON.stringify(tree));
    rmSync((await importOnce(data, file, options)).folder, { recursive: true });
    expect((await importOnce(data, file, options)).index.operations).toHaveLength(1);
  });

  it('is imported again where the index of its import is damaged', async () => {
    const data = freshDirectory();
    const file = join(freshDirectory(), 'openapi.json');
    writeFileSync(file, JSON.stringify(tree));
    const { folder } = await importOnce(data, file, options);
    writeFileSync(join(folder, 'index.json'), '{}');
    expect(await importOnce(data, file, options)).toMatchObject({ folder, index: { operations: [{}] } });
  });

  it('is imported in memory where there is no place for it', async () => {
    const data = join(freshDirectory(), 'file');
    writeFileSync(data, '');
    const file = join(freshDirectory(), 'openapi.json');
    const whole = await imported(tree);
    writeFileSync(file, JSON.stringify(tree));
    const { folder, index } = await importOnce(data, file, options);
    const [indexed] = index.operations;
    if (!indexed) throw new Error('no operation');
    expect(readIndex(folder)).toBe(index);
    expect(readOperation(folder, indexed)).toEqual(only(whole));
    expect(readOperation(folder, indexed, { response: false })).not.toHaveProperty('responseBodySchema');
    expect(readImport(folder, index).records).toHaveLength(1);
  });

  it.each([
    ['missing.json', undefined],
    ['bad.json', '{'],
    ['bytes.json', Buffer.from([0xff])],
  ])('is refused with its name: %s', async (name, content) => {
    const file = join(freshDirectory(), name);
    if (content !== undefined) writeFileSync(file, content);
    await expect(importOnce(freshDirectory(), file, options)).rejects.toThrow(name);
  });

  it('is forgotten where twenty others are younger', async () => {
    const data = freshDirectory();
    const file = join(freshDirectory(), 'openapi.json');
    for (let number = 0; number < 25; number += 1) {
      writeFileSync(file, JSON.stringify(get({ operationId: `o${'x'.repeat(number)}` })));
      await importOnce(data, file, options);
    }
    expect(readdirSync(join(data, 'descriptions'))).toHaveLength(20);
    expect((await importOnce(data, file, options)).index.operations[0]?.id).toHaveLength(25);
  });
});
