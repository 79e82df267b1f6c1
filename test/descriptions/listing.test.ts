import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsBelow, commandsOf, readListing } from '../../src/descriptions/listing.ts';
import { importFolder, readIndex } from '../../src/descriptions/read-store.ts';
import { storeImport } from '../../src/descriptions/store.ts';
import { freshDirectory } from '../config/config-directory.ts';
import { imported } from './describe.ts';
import { largeDescription } from './large-description.ts';

const large = imported(largeDescription());

/** The folder of a stored import of 150 operations. */
async function stored(): Promise<string> {
  const data = freshDirectory();
  return importFolder(data, storeImport(data, await large));
}

describe('the listing of an import', () => {
  it('has the commands of its index by their first word, short names first, with what help says of them', async () => {
    const folder = await stored();
    const index = readIndex(folder);
    const listing = readListing(folder);
    expect(listing?.title).toBe(index.title);
    const groups = Object.entries(listing?.groups ?? {});
    expect(groups.map(([word]) => word)).toEqual(groups.map(([word]) => word).sort());
    for (const [word, commands] of groups) {
      const names = commands.map(({ name }) => name.split(' '));
      expect(names.every(([first]) => first === word)).toBe(true);
      expect(names.map(({ length }) => length)).toEqual(names.map(({ length }) => length).sort());
    }
    const listed = groups.flatMap(([, commands]) => commands).map(({ name, ...command }) => [name, command]);
    const expected = [...commandsOf(index)].map(([name, { summary, isDeprecated }]) => [
      name,
      { summary, ...(isDeprecated && { isDeprecated }) },
    ]);
    expect(new Map(listed as [])).toEqual(new Map(expected as []));
    expect(listed).toHaveLength(expected.length);
  });

  it('gives the commands that words may begin', async () => {
    const listing = readListing(await stored()) ?? { title: '', groups: {} };
    const words = Object.keys(listing.groups);
    const first = words.map((word) => listing.groups[word]?.[0]?.name);
    expect([...commandsBelow(listing, []).keys()]).toEqual(first);
    expect([...commandsBelow(listing, ['payouts', 'x']).keys()]).toEqual(
      listing.groups.payouts?.map(({ name }) => name),
    );
    expect([...commandsBelow(listing, ['constructor'])]).toEqual([]);
  });

  it.each(['', '{', '[]', '7', '{"title":"x"}', '{"title":"x","groups":[1,2,3]}'])(
    'is done without where it is %j',
    async (text) => {
      const folder = await stored();
      writeFileSync(join(folder, 'listing.json'), text);
      expect(readListing(folder)).toBeUndefined();
    },
  );

  it('is done without where it is missing, or the index is another one or missing', async () => {
    const folder = await stored();
    const index = join(folder, 'index.json');
    writeFileSync(index, `${readFileSync(index, 'utf8')} `);
    expect(readListing(folder)).toBeUndefined();
    rmSync(index);
    expect(readListing(folder)).toBeUndefined();
    expect(readListing(join(folder, 'other'))).toBeUndefined();
  });
});
