import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsOf, readListing } from '../../src/descriptions/listing.ts';
import { importFolder, readIndex } from '../../src/descriptions/read-store.ts';
import { storeImport } from '../../src/descriptions/store.ts';
import { freshDirectory } from '../config/config-directory.ts';
import { imported } from './describe.ts';
import { largeDescription } from './large-description.ts';

/** The folder of a stored import of 150 operations. */
async function stored(): Promise<string> {
  const data = freshDirectory();
  return importFolder(data, storeImport(data, await imported(largeDescription())));
}

describe('the listing of an import', () => {
  it('has the commands of its index in their order, with what help says of them', async () => {
    const folder = await stored();
    const index = readIndex(folder);
    const expected = [...commandsOf(index)].map(([words, { summary, isDeprecated }]) => [
      words,
      { summary, ...(isDeprecated && { isDeprecated }) },
    ]);
    const listing = readListing(folder);
    expect(listing?.title).toBe(index.title);
    expect([...(listing?.commands ?? [])]).toEqual(expected);
  });

  it.each(['', '{', '[]', '7', '{"title":"x"}', '{"title":"x","commands":[1,2,3]}'])(
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
