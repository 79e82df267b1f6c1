import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '../../src');

/** Our own files that importing this one loads at once; types and dynamic imports load nothing. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  if (!file.endsWith('.ts')) return found;
  const text = readFileSync(file, 'utf8');
  for (const [, target = ''] of text.matchAll(
    /^(?:import (?!type )[^;]*?from|export [^;]*?from) '(\.[^']+)'/gm,
  )) {
    loadedBy(join(dirname(file), target), found);
  }
  return found;
}

it('loads neither the seeds, the faults, the description nor the checking of bodies on a start', () => {
  const loaded = [...loadedBy(join(source, 'emulator/server.ts'))].map((file) => relative(source, file));
  expect(loaded).toContain('emulator/resources/checkout-sessions.ts');
  const late =
    /^emulator\/(seed|faults)\/|^emulator\/http\/validate-body|^contract\/generated\/(description\.json|body-schemas)|^schemas\/validator/;
  expect(loaded.filter((file) => late.test(file))).toEqual([]);
});
