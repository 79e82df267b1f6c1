import type { Jq } from '../output/jq.ts';

/**
 * Compiles the expression of --jq before anything is sent; jq itself is loaded only then.
 * @throws OutputError `invalid_jq`
 */
export async function openJq(expression: string | undefined): Promise<Jq | undefined> {
  if (expression === undefined) return undefined;
  const { createJq } = await import('../output/jq.ts');
  return await createJq(expression);
}
