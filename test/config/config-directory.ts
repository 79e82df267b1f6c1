import { statSync, writeFileSync } from 'node:fs';
import { profilesFile } from '../../src/config/profiles.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

/** Makes a configuration directory for one test, which is deleted at its end; with a text, its profiles hold that. */
export function freshDirectory(profiles?: string): string {
  const directory = folderForTest();
  if (profiles !== undefined) writeFileSync(profilesFile(directory), profiles, { mode: 0o600 });
  return directory;
}

/** The permission bits of a file or directory, in octal. */
export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** What a call threw; one that returns is an error of the test. */
export function thrownBy(call: () => unknown): unknown {
  let value: unknown;
  try {
    value = call();
  } catch (error) {
    return error;
  }
  throw new Error(`expected an error, not ${JSON.stringify(value)}`);
}
