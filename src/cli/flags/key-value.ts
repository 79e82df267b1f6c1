import { UsageError } from '../../client/errors.ts';

/**
 * Reads `key=value` pairs; a later pair of the same key wins, and the value may hold further equals signs.
 * @throws UsageError `bad_flag` for a text without a key or without an equals sign
 */
export function readPairs(
  flag: string,
  pairs: readonly string[] | undefined,
): Record<string, string> | undefined {
  if (pairs === undefined || pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new UsageError('bad_flag', `${flag} takes key=value, not ${JSON.stringify(pair)}`, {
        hint: `Write for example ${flag} order=1234.`,
      });
    }),
  );
}
