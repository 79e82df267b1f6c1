import type { Inspection } from '../../auth/token-fault.ts';
import { readCredentials } from '../../config/credentials.ts';
import type { Settings } from '../../config/settings.ts';
import type { Display } from '../display.ts';
import type { Runtime } from '../runtime.ts';
import { credentialInUse } from './credential-in-use.ts';

type Parts = { readonly settings: Settings; readonly display: Display; readonly runtime: Runtime };

/**
 * The id of the key that the settings in use name; undefined where they name none. A key that cannot be read, in a locked
 * keychain for instance, is told of in one note and counts as none.
 */
export async function readOwnKey({ settings, display, runtime }: Parts): Promise<Inspection['ownKey']> {
  const inUse = credentialInUse(settings, runtime);
  if (inUse?.source.kind !== 'key' || inUse.awaitsEmulator) return undefined;
  const { origin } = inUse.source;
  try {
    const credentials = await readCredentials(inUse.source, inUse.profile, {
      warn: () => {},
      signal: runtime.signal,
    });
    if (credentials.kind !== 'key') return undefined;
    const { readSigningKey } = await import('../../auth/keys.ts');
    const { keyId } = await readSigningKey(credentials.pem, { origin });
    if (display.verbose) display.note(`* key in use: ${keyId} (${origin})`);
    return { keyId, origin };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the reason is unknown';
    display.note(`The key of the token was not compared with the key in use: ${reason}`);
    return undefined;
  }
}
