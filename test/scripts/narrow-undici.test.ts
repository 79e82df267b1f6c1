import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { narrowUndici } from '../../scripts/narrow-undici.ts';

const root = join(import.meta.dirname, '../..');
const fileOf = (name: string) => join(root, 'node_modules/undici/lib', name);

/** What becomes of the code of a file of undici; undefined where it stays as it is. */
function transform(name: string, code = readFileSync(fileOf(name), 'utf8')): string | undefined {
  const { handler } = narrowUndici(root).transform as unknown as {
    handler: (code: string, id: string) => { code: string } | null;
  };
  return handler(code, fileOf(name))?.code;
}

describe('undici in the bundle', () => {
  it('has the tables of its parser that it reads, as they are', () => {
    const module = { exports: {} as Record<string, Record<string, unknown>> };
    new Function('module', transform('llhttp/constants.js') ?? '')(module);
    expect(Object.keys(module.exports).sort()).toEqual(['ERROR', 'TYPE']);
    expect(module.exports.TYPE).toEqual({ BOTH: 0, REQUEST: 1, RESPONSE: 2 });
    expect(module.exports.ERROR).toMatchObject({ OK: 0, PAUSED: 21, PAUSED_UPGRADE: 22 });
  });

  it('is without the parser that is an experiment, and without the tree of header names', () => {
    expect(transform('dispatcher/client-h1.js')).not.toContain('esbuildDetection');
    expect(transform('core/tree.js')).not.toContain('insert');
    expect(transform('core/util.js')).toBe(readFileSync(fileOf('core/util.js'), 'utf8'));
    expect(transform('core/request.js')).toBeUndefined();
  });

  it('has no table of header names to make, nor one in which an object could be found', () => {
    const module = { exports: {} as Record<string, object> };
    new Function('module', transform('core/constants.js') ?? '')(module);
    const { headerNameLowerCasedRecord: names = {}, ...others } = module.exports;
    expect([Object.keys(names), Object.getPrototypeOf(names)]).toEqual([[], null]);
    const theirs = createRequire(import.meta.url)(fileOf('core/constants.js'));
    expect(theirs).toMatchObject(others);
    expect(Object.keys(theirs).sort()).toEqual(
      [...Object.keys(module.exports), 'wellknownHeaderNames'].sort(),
    );
  });

  it('cannot be built if a later version needs what is left out', () => {
    expect(() => transform('dispatcher/client-h1.js', 'const parser = choose()')).toThrow('undici changed');
    expect(() => transform('core/constants.js', 'const names = {}')).toThrow('undici changed');
    expect(() =>
      transform('core/util.js', 'tree.lookup(value) ?? value.toString(); tree.insert(name)'),
    ).toThrow('undici changed');
  });
});
