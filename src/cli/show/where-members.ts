import { suggest } from '../../text/suggest.ts';

type Reading = {
  /** The operation that lists the entries. */
  readonly operation: string;
  /** The flag that the expression comes from. */
  readonly flag: string;
};

const MOST_SUGGESTIONS = 3;

/**
 * What is probably wrong with an expression over entries: a member that the contract does not have, which jq silently reads as null.
 * Undefined where all of them are known. Behind a pipe, those of nested objects are known, too.
 */
export async function unknownMemberOf(
  expression: string,
  { operation, flag }: Reading,
): Promise<string | undefined> {
  const { fields } = await import('../../contract/generated/fields.ts');
  const known = (fields[operation] ?? []).filter((path) => !path.endsWith('.*'));
  const top = known.filter((path) => !path.includes('.'));
  const code = expression.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/#.*$/gm, '');
  const isNested = /[|;]|\b(?:as|def)\b/.test(code);
  const names = new Set(isNested ? known.flatMap((path) => path.split('.')) : top);
  const read = [...code.matchAll(/(?<![\w\])"?.$@])\.([a-z_]\w*)/gi)].map(([, name = '']) => name);
  const unknown = read.find((name) => !names.has(name));
  if (unknown === undefined || top.length === 0) return undefined;
  const isPart = (path: string) => `_${path}_`.includes(`_${unknown}_`);
  const near = [
    ...top.filter(isPart),
    ...known.filter((path) => path.endsWith(`.${unknown}`) && !/\.\d/.test(path)),
  ];
  const nearest = near.length > 0 ? near : [suggest(unknown, known)].filter((path) => path !== undefined);
  const meant = nearest.slice(0, MOST_SUGGESTIONS).map((path) => `.${path}`);
  const asked =
    meant.length > 0
      ? `: did you mean ${meant.join(' or ')}?`
      : `; it has ${top.map((path) => `.${path}`).join(', ')}`;
  return `${flag} reads .${unknown}, which an entry does not have${asked}`;
}
