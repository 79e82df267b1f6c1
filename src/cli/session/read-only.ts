import { nameOfSource, type Settings } from '../../config/settings.ts';
import { UsageError } from '../../errors.ts';
import { quote } from '../../text/format.ts';

/** Refuses to change anything where the settings allow reading only. @throws UsageError `read_only`, before anything is sent */
export function refuseChange({ readOnly }: Settings): void {
  if (readOnly.value) throw readOnlyError('Nothing was sent: this command changes something', readOnly);
}

/**
 * Refuses to sign a token that could change something where the settings allow reading only: every scope has to end in `.read`.
 * @throws UsageError `read_only`
 */
export function refuseWriteScopes({ readOnly }: Settings, scopes: readonly string[]): void {
  const scope = readOnly.value ? scopes.find(allowsChanges) : undefined;
  if (scope !== undefined) {
    throw readOnlyError(`No token was signed: the scope ${quote(scope)} allows changes`, readOnly);
  }
}

/** A single scope: a service may read text with a space or a comma as several. */
const READS = /^[\w*:./-]*[\w*-]\.read$/;

/** Whether a token with this scope could change something. */
export function allowsChanges(scope: string): boolean {
  return !READS.test(scope);
}

function readOnlyError(problem: string, { source }: Settings['readOnly']): UsageError {
  const isProfile = source.kind === 'profile';
  const name = isProfile ? `the profile ${source.name}` : nameOfSource(source);
  const hint = isProfile
    ? `To allow changes: payctl profiles set ${source.name} --access write`
    : `Unset ${name} to allow changes.`;
  return new UsageError('read_only', `${problem}, and ${name} allows only read access`, { hint });
}
