import { OutputError } from '../../errors.ts';
import { createJq } from '../../output/formats/jq.ts';

/** A compiled `--where`. */
export type Where = {
  /**
   * Decides for each entry, by its JSON text, whether the expression gives true for it. An entry on which it fails is left out.
   * @throws OutputError `jq_failed`; AbortedError
   */
  select(texts: readonly string[]): Promise<readonly boolean[]>;
  /** On how many entries it failed so far, and how on the first of them. */
  failures(): { readonly count: number; readonly first: string };
  close(): void;
};

/** JSON that jq gets at once, in characters; below what its runner tries in this thread. */
const BATCH = 2 ** 19;

/**
 * Compiles the expression of `--where`: an entry is kept if any of its results is neither false nor null. It runs where the
 * signal can stop it.
 * @throws UsageError `invalid_jq`
 */
export async function openWhere(
  expression: string,
  signal: AbortSignal | undefined,
  flag = '--where',
): Promise<Where> {
  // The line end ends a comment; jq gives exactly one result for each entry.
  const jq = await createJq(`try any((${expression}\n); .) catch ("\\(.)"[:200])`, signal, flag);
  const failed = { count: 0, first: '' };
  const run = async (texts: readonly string[]): Promise<boolean[]> => {
    const { results, failure } = await jq.run(texts.join('\n'));
    if (failure) throw failure;
    if (results.length !== texts.length) {
      throw new OutputError('jq_failed', `${flag} must look at one entry at a time; it read others, too`);
    }
    return results.map(({ text, isJson }) => {
      if (isJson) return text === 'true';
      if (failed.count === 0) failed.first = text;
      failed.count += 1;
      return false;
    });
  };
  return {
    async select(texts) {
      const kept: boolean[] = [];
      let batch: string[] = [];
      let size = 0;
      for (const text of texts) {
        if (batch.length > 0 && size + text.length > BATCH) {
          kept.push(...(await run(batch)));
          batch = [];
          size = 0;
        }
        batch.push(text);
        size += text.length;
      }
      if (batch.length > 0) kept.push(...(await run(batch)));
      return kept;
    },
    failures: () => failed,
    close: jq.close,
  };
}
