import type { Jq } from '../../output/list-page.ts';
import type { Display } from './display.ts';

/**
 * Compiles the expression of --jq before anything is sent; jq itself is loaded only then. It ends
 * with the run.
 * @throws UsageError `invalid_jq`
 */
export async function openJq(
  { signal }: Pick<Display, 'signal'>,
  expression: string | undefined,
): Promise<Jq | undefined> {
  if (expression === undefined) return undefined;
  const { createJq } = await import('../../output/formats/jq.ts');
  return await createJq(expression, signal);
}
