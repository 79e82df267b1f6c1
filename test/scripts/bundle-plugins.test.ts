import { describe, expect, it } from 'vitest';
import { deferRequires, omitUnused } from '../../scripts/bundle-plugins.ts';

/** Runs a CommonJS module and gives its exports and what it required, in that order. */
function load(source: string, packages: Readonly<Record<string, unknown>>) {
  const required: string[] = [];
  const exports: Record<string, unknown> = {};
  const requireOne = (name: string) => {
    required.push(name);
    return packages[name];
  };
  new Function('require', 'exports', source)(requireOne, exports);
  return { exports: exports as Record<string, () => unknown>, required };
}

const SOURCE = `
const heavy_1 = require("heavy");
const other_1 = require("other");
exports.light = () => 1;
exports.heavy = () => heavy_1.value + heavy_1.value;
`;

it('a deferred require happens on first use, and once', () => {
  const { exports, required } = load(deferRequires(SOURCE), { heavy: { value: 21 } });
  expect(exports.light?.()).toBe(1);
  expect(required).toEqual([]);
  expect([exports.heavy?.(), exports.heavy?.()]).toEqual([42, 42]);
  expect(required).toEqual(['heavy']);
});

it('requires within functions and names that only look alike stay as they are', () => {
  const source = 'function f() { const a_1 = require("a"); return a_1.b; }\nconst xa_1 = 1;';
  expect(deferRequires(source)).toBe(source);
});

describe('what payctl never calls of its libraries', () => {
  const load = (id: string): Record<string, () => void> => {
    const { handler } = omitUnused.load as { handler: (id: string) => { code: string } };
    const module = { exports: {} };
    new Function('module', handler(id).code)(module);
    return module.exports as Record<string, () => void>;
  };

  it('throws when it is called all the same, by its name', () => {
    const help = load('/clone/node_modules/@oclif/core/lib/help/index.js');
    expect(() => help.loadHelpClass?.()).toThrow('payctl is built without @oclif/core/lib/help/index.js');
  });

  it('logs nothing for the developers of oclif', () => {
    const debug = load('/clone/node_modules/debug/src/index.js') as unknown as (
      name: string,
    ) => () => unknown;
    expect(debug('oclif')()).toBeUndefined();
  });
});
