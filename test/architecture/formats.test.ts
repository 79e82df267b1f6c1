import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTPUT_FORMATS } from '../../src/output/formats.ts';

const root = join(import.meta.dirname, '../..');
const others = globSync('src/**/*.ts', {
  cwd: root,
  exclude: ['src/output/**', 'src/descriptions/**', 'src/schemas/**', 'src/emulator/**'],
});

const name = `['"](?:${OUTPUT_FORMATS.join('|')})['"]`;
/** A comparison with the name of a format, a case of a switch, or a set of names. */
const decision = new RegExp(`[!=]==? ${name}|${name} [!=]==?|case ${name}|\\[${name}(?:, ${name})*\\]`, 'g');

/** The name of the flag `--json`, and of the only format that help has, as they were typed. */
const FLAG = /^src\/cli\/(?:failure\/flag-hints\.ts: !==|routing\/route\.ts: ===) 'json'$/;

describe('the output formats', () => {
  it('are told apart by their rows, never by their names', () => {
    const found = others.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(decision)].map(([text]) => `${file}: ${text}`),
    );
    expect(found.filter((line) => !FLAG.test(line))).toEqual([]);
  });

  it.each([`format === 'csv'`, `'json' !== output`, `case 'wide':`, `new Set(['table', 'csv'])`])(
    'would be found in %s',
    (text) => {
      expect(text.match(decision)).not.toBeNull();
    },
  );
});
