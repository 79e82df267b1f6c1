import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readEnvironment } from '../../../src/config/environment.ts';
import type { DoctorContext } from '../../../src/features/doctor/context.ts';
import type { OpenCredentials } from '../../../src/features/doctor/credentials.ts';
import { checkDescription } from '../../../src/features/doctor/description.ts';
import { largeDescription } from '../../descriptions/large-description.ts';

const home = mkdtempSync(join(tmpdir(), 'payctl-doctor-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const file = join(home, 'openapi.json');
writeFileSync(file, JSON.stringify(largeDescription()));

const check = (credentials: unknown, description: string | undefined = file) => {
  const environment = readEnvironment({ PAYCTL_CONFIG_DIR: home, PAYCTL_DESCRIPTION: description });
  const context = { settings: { profile: { value: undefined } }, runtime: { environment } };
  return checkDescription(context as unknown as DoctorContext, credentials as OpenCredentials | undefined);
};
const token = (scopes: readonly string[]) => ({ source: { kind: 'token' }, claims: { scopes } });

describe('the check of the imported description', () => {
  it('is not made where there is none', async () => {
    expect(await check(token([]), '')).toBeUndefined();
  });

  it('counts what a token allows, and names what it does not', async () => {
    expect(await check(token(['*']))).toMatchObject({
      state: 'pass',
      message: 'the token allows 147 of 150 operations of Example payments; 3 without a scope to compare',
    });
    const found = await check(token(['*.read']));
    expect(found).toMatchObject({ state: 'warn', facts: { operations: 150, unknown: 3 } });
    expect(found?.message).toMatch(/not allowed: payouts create, .* and \d+ more;/);
    expect(found?.remedy).toMatch(/^Get a token that also has these scopes: .*\.write, .*\.$/);
  });

  it('says that a key has no scopes of its own', async () => {
    const found = await check({ source: { kind: 'key' } });
    expect(found?.message).toBe(
      'Example payments describes 150 operations; the key signs a token with the scopes of each, but 3 operations without a scope: add --scope there',
    );
    expect(found?.facts).toMatchObject({ unknown: 3 });
  });

  it('fails where the description cannot be read', async () => {
    expect(await check(token(['*']), join(home, 'none.json'))).toMatchObject({ state: 'fail' });
  });
});
