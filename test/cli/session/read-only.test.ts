import { describe, expect, it } from 'vitest';
import { refuseChange, refuseWriteScopes } from '../../../src/cli/session/read-only.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import type { Profile } from '../../../src/config/profile.ts';
import { resolveSettings } from '../../../src/config/settings.ts';
import { UsageError } from '../../../src/errors.ts';

const READER: Profile = { name: 'reader', access: 'read' };

function settingsOf(env: Record<string, string>, profile?: string) {
  return resolveSettings({
    flags: profile === undefined ? {} : { profile },
    environment: readEnvironment(env),
    profiles: new Map([['reader', READER]]),
  });
}

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error;
  }
  return undefined;
}

describe('where only reading is allowed', () => {
  it.each([
    [
      settingsOf({ PAYCTL_READ_ONLY: '1' }),
      'Nothing was sent: this command changes something, and PAYCTL_READ_ONLY allows only read access',
      'Unset PAYCTL_READ_ONLY to allow changes.',
    ],
    [
      settingsOf({}, 'reader'),
      'Nothing was sent: this command changes something, and the profile reader allows only read access',
      'To allow changes: payctl profiles set reader --access write',
    ],
  ])('a change is refused', (settings, message, hint) => {
    expect(thrownBy(() => refuseChange(settings))).toMatchObject({ code: 'read_only', message, hint });
  });

  it.each([
    'buyers.write',
    'embed',
    '*',
    '*.write',
    'buyers.*',
    '',
    'READ',
    'buyers.READ',
    // Names that have the word in them.
    'readers.write',
    'shop.readers.write',
    'shop.readers',
    'buyers.read.write',
    'buyers.readwrite',
    'buyers.spread',
    'buyers:read',
    'read',
    '.read',
    'buyers..read',
    'buyers.write .read',
    // Several in one.
    'buyers.write buyers.read',
    'buyers.write,buyers.read',
    'buyers.write;buyers.read',
    'buyers.write\nbuyers.read',
    'buyers.read ',
    'buyers.read\n',
  ])('no token is signed for the scope %j', (scope) => {
    const settings = settingsOf({}, 'reader');
    expect(thrownBy(() => refuseWriteScopes(settings, ['buyers.read', scope]))).toMatchObject({
      code: 'read_only',
      message: `No token was signed: the scope ${JSON.stringify(scope)} allows changes, and the profile reader allows only read access`,
    });
  });

  it.each([
    ['buyers.read'],
    ['*.read'],
    ['b.read'],
    ['buyers.billing-details.read'],
    ['readers.read'],
    ['https://api.example.com/buyers.read'],
  ])('%s is signed', (scope) => {
    expect(thrownBy(() => refuseWriteScopes(settingsOf({}, 'reader'), [scope]))).toBeUndefined();
  });
});

it('everything is allowed otherwise', () => {
  const settings = settingsOf({ PAYCTL_READ_ONLY: '0' });
  expect(thrownBy(() => refuseChange(settings))).toBeUndefined();
  expect(thrownBy(() => refuseWriteScopes(settings, ['*']))).toBeUndefined();
});
