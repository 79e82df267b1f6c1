import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_PROFILES } from '../../src/config/profile.ts';
import { profilesFile, readProfiles } from '../../src/config/profiles.ts';
import { UsageError } from '../../src/errors.ts';
import { anyText } from '../harness/any-text.ts';
import { propertyRuns } from '../harness/property-runs.ts';
import { freshDirectory, modeOf, thrownBy } from './config-directory.ts';

const NOTHING = { profiles: new Map(BUILT_IN_PROFILES), active: undefined };
const LEAVE = 'Repair the file, or move it away and create the profiles again. payctl does not change it.';

describe('readProfiles', () => {
  it('finds no profiles but the built-in one where there is no file and no directory', () => {
    const directory = freshDirectory();
    expect(readProfiles(directory)).toEqual(NOTHING);
    expect(readProfiles(join(directory, 'none'))).toEqual(NOTHING);
    writeFileSync(join(directory, 'file'), '');
    expect(readProfiles(join(directory, 'file', 'none'))).toEqual(NOTHING);
  });

  it.each(['', '\n'])('finds none in a file that holds %j', (text) => {
    expect(readProfiles(freshDirectory(text))).toEqual(NOTHING);
  });

  it('finds the profiles of the file and the active one, and the built-in one as it is built in', () => {
    const stored = { acme: { base_url: 'https://a.example' }, emulator: { base_url: 'https://b.example' } };
    const directory = freshDirectory(JSON.stringify({ version: 1, active: 'acme', profiles: stored }));
    expect(readProfiles(directory)).toEqual({
      profiles: new Map([...BUILT_IN_PROFILES, ['acme', { name: 'acme', baseUrl: 'https://a.example' }]]),
      active: 'acme',
    });
  });

  it('reads a name that objects know by themselves as any other', () => {
    const directory = freshDirectory('{"version":1,"profiles":{"constructor":{"instance":"a"}}}');
    expect(readProfiles(directory).profiles.get('constructor')).toEqual({
      name: 'constructor',
      instance: 'a',
    });
  });

  it('follows a link to the file', () => {
    const directory = freshDirectory();
    const elsewhere = profilesFile(freshDirectory('{"version":1,"active":"a","profiles":{"a":{}}}'));
    symlinkSync(elsewhere, profilesFile(directory));
    expect(readProfiles(directory).active).toBe('a');
  });

  it('refuses what is no file and says why', () => {
    const directory = freshDirectory();
    mkdirSync(profilesFile(directory));
    const error = thrownBy(() => readProfiles(directory));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'profiles_unreadable',
      message: `${profilesFile(directory)} cannot be read: it is a directory`,
      hint: 'Make it a file that you can read, or set PAYCTL_CONFIG_DIR to another directory.',
    });
  });
});

describe('a damaged file', () => {
  /** Reads it, and makes sure that it is refused by its name and left byte for byte. */
  function refusalOf(content: string | Buffer): string {
    const directory = freshDirectory();
    const file = profilesFile(directory);
    writeFileSync(file, content, { mode: 0o600 });
    const error = thrownBy(() => readProfiles(directory));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ code: 'profiles_damaged', hint: LEAVE });
    expect(readFileSync(file)).toEqual(Buffer.from(content));
    return String(error).replace(file, 'FILE');
  }

  it.each([
    ['SECRET', 'it is not JSON'],
    ['{"version":1,"profiles":{}', 'it is not JSON'],
    ['["SECRET"]', 'it is not a JSON object'],
    ['{"version":1,"profiles":{"acme":{"base_url":["SECRET"]}}}', '/profiles/acme/base_url is not a string'],
    [
      '{"version":1,"profiles":{"acme":{"credentials":{"kind":"token","token":"SECRET"}}}}',
      '/profiles/acme/credentials is not valid',
    ],
    [
      `{"version":1,"profiles":{},"later":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      'it is nested more than 100 levels deep',
    ],
  ])('is refused by its name and left as it is: %.60j', (content, reason) => {
    expect(refusalOf(content)).toBe(`UsageError: FILE is damaged: ${reason}`);
  });

  it('is refused and left where it holds 100 KB of no text at all, or text as Windows writes it', () => {
    const garbage = Buffer.alloc(100_000, Buffer.from([0xff, 0x00, 0x7b, 0x0a, 0x22]));
    const utf16 = Buffer.from('{"version":1,"profiles":{}}', 'utf16le');
    expect([garbage, utf16].map(refusalOf)).toEqual([
      'UsageError: FILE is damaged: it is not valid UTF-8: byte 1, in line 1, is 0xff',
      'UsageError: FILE is damaged: it is not JSON',
    ]);
  });

  const REASON =
    /^FILE is damaged: (it is not JSON|it is not valid UTF-8: byte \d+, in line \d+, is 0x[0-9a-f]{2}|it is not a JSON object|\/version is not 1|\/active is not a string|\/profiles is not an object|\/profiles contains an invalid profile name|\/profiles\/[a-z0-9][a-z0-9._-]{0,62}( is not an object|\/[a-z_]+ is not (a string|sandbox or production|RS256 or PS256|valid)))$/;

  /** Whatever the file holds, it is read or refused in payctl's own words, and stays as it is. */
  function holds(texts: fc.Arbitrary<string>): void {
    const place = freshDirectory('');
    const file = profilesFile(place);
    fc.assert(
      fc.property(texts, (text) => {
        writeFileSync(file, text);
        try {
          expect(readProfiles(place).profiles.get('emulator')).toEqual({ name: 'emulator' });
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          const { code, message } = error as UsageError;
          if (code === 'newer_version') expect(JSON.parse(text)).not.toMatchObject({ version: 1 });
          else {
            expect(code).toBe('profiles_damaged');
            expect(message.replace(file, 'FILE')).toMatch(REASON);
          }
        }
        expect(readFileSync(file, 'utf8')).toBe(Buffer.from(text).toString());
      }),
      propertyRuns(300),
    );
  }

  it('is refused without a word of its content, whatever text it holds', () => {
    holds(fc.oneof(anyText(), fc.json(), fc.string({ unit: fc.constantFrom(...'{}[]":,1\\') })));
  });

  it('is refused without a word of its content, whatever members it has', () => {
    const member = fc.constantFrom('base_url', 'environment', 'output', 'credentials', 'later');
    const credentials = fc.record(
      {
        kind: fc.constantFrom('token', 'key', 'SECRET', 1),
        storage: fc.constantFrom('keychain', 'file', 'reference', 'SECRET', null),
        account: fc.oneof(fc.string(), fc.integer()),
        path: fc.oneof(fc.string(), fc.integer()),
      },
      { requiredKeys: [] },
    );
    const profile = fc.oneof(
      fc.dictionary(member, fc.oneof(fc.string(), credentials, fc.jsonValue())),
      fc.jsonValue(),
    );
    const name = fc.oneof(
      fc.constantFrom('acme', 'emulator', 'constructor', '__proto__', '../SECRET'),
      fc.string(),
    );
    const document = fc.record(
      {
        version: fc.constantFrom(1, 1, 1, 2, '1'),
        active: fc.oneof(fc.string(), fc.jsonValue()),
        profiles: fc.oneof(fc.dictionary(name, profile), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    holds(document.map((value) => JSON.stringify(value)));
  });
});

describe.skipIf(process.platform === 'win32')('a file that is open to others', () => {
  const CONTENT = '{"version":1,"active":"a","profiles":{"a":{}}}';

  it.each([0o644, 0o640, 0o604, 0o611, 0o600])('is closed on reading when they may read it: %o', (mode) => {
    const directory = freshDirectory(CONTENT);
    chmodSync(profilesFile(directory), mode);
    expect(readProfiles(directory).active).toBe('a');
    expect(modeOf(profilesFile(directory))).toBe('600');
  });

  it.each([0o666, 0o660, 0o620, 0o602, 0o777])('is refused when they may write it, and left: %o', (mode) => {
    const directory = freshDirectory(CONTENT);
    const file = profilesFile(directory);
    chmodSync(file, mode);
    const error = thrownBy(() => readProfiles(directory));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'profiles_exposed',
      message: `${file} can be changed by other users`,
      hint: `Check that its content is yours, then restrict it: chmod go-rwx ${file}`,
    });
    expect([modeOf(file), readFileSync(file, 'utf8')]).toEqual([mode.toString(8), CONTENT]);
  });

  it('is not opened further than it was', () => {
    const directory = freshDirectory(CONTENT);
    chmodSync(profilesFile(directory), 0o400);
    expect(readProfiles(directory).active).toBe('a');
    expect(modeOf(profilesFile(directory))).toBe('400');
  });
});
