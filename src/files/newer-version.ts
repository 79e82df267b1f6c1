import { UsageError } from '../errors.ts';
import { quote } from '../text/format.ts';

/**
 * Refuses a file that a later version of payctl has written, which may mean something else by it: `found` is the number of its format, and
 * `known` the one that this version writes. `other` is what else helps, as half a sentence.
 * @throws UsageError `newer_version`
 */
export function refuseNewer(path: string, found: unknown, known: number, other?: string): void {
  if (!(typeof found === 'number' && found > known)) return;
  const upgrade = other === undefined ? 'Upgrade payctl.' : `Upgrade payctl, or ${other}`;
  throw new UsageError('newer_version', `${quote(path)} was written by a newer version of payctl`, {
    hint: upgrade,
  });
}
