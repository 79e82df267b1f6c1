import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chunkGroups, chunkProblems } from '../../scripts/chunks.ts';
import { root } from './bundle-source.ts';

function chunkOf(path: string): unknown {
  const [group] = chunkGroups();
  return typeof group?.name === 'function' ? group.name(join(root, path), {} as never) : group;
}

it('a module belongs to the chunk that names its file, or else the folder that is next to it', () => {
  expect(chunkOf('src/emulator/server.ts')).toBe('emulator');
  expect(chunkOf('src/emulator/seed/team.ts')).toBe('seed');
  expect(chunkOf('src/text/random.ts')).toBe('values');
  expect(chunkOf('src/emulator/data-files.ts')).toBe('cli');
  expect(chunkOf('node_modules/conf/node_modules/chalk/source/index.js')).toBe('colour');
});

it('what one command alone imports stays in the file of that command', () => {
  expect(chunkOf('src/commands/buyers/find.ts')).toBeNull();
  expect(chunkOf('src/features/buyers/show.ts')).toBeNull();
});

it('a new output format is a chunk of its own, a new kind of paging is in that of the others', () => {
  expect(chunkOf('src/output/formats/new.ts')).toBe('new');
  expect(chunkOf('src/output/formats.ts')).toBe('cli');
  expect(chunkOf('src/client/paging/new.ts')).toBe('described-paging');
});

it('a package that no chunk names does not join one that every command loads', () => {
  expect(chunkOf('node_modules/left-pad/index.js')).toBe('packages');
});

it.each(['src/cli/new.ts', 'src/client/new.ts', 'src/json/new.ts', 'src/output/new.ts', 'src/new/file.ts'])(
  'a new file has to be named, so that it cannot slow down every start: %s',
  (path) => {
    expect(chunkProblems([join(root, path)])[0]).toBe(`no chunk is named for ${path}`);
  },
);

it('a name without a module is a problem, but that of a package', () => {
  const problems = chunkProblems([join(root, 'src/json/depth.ts')]);
  expect(problems).toContain('no module is in src/cli/session/session');
  expect(problems).not.toContain('no module is in src/json/depth');
  expect(problems.join()).not.toContain('node_modules');
});
