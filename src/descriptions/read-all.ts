import { quote } from '../text/format.ts';
import type { Declaration, OperationContext } from './declaration.ts';
import type { Issues } from './issues.ts';
import { type ReadOperation, readOperationOf } from './read-operation.ts';
import { NotRunnable } from './references.ts';

/** An operation that payctl can run, with its ID. */
export type Read = ReadOperation & { readonly declaration: Declaration; readonly id: string };

/** An operation that payctl cannot run, with the reason. */
export type NotRead = { readonly declaration: Declaration; readonly id: string; readonly skip: NotRunnable };

type AllRead = { readonly read: readonly Read[]; readonly notRead: readonly NotRead[] };

/** Reads every operation; returns those that payctl cannot run separately, and reports an issue for each. */
export function readAll(declarations: readonly Declaration[], context: OperationContext): AllRead {
  const ids = idsOf(declarations, context.issues);
  const all = declarations.map((declaration, index) => {
    const known = { declaration, id: ids[index] ?? '' };
    try {
      return { ...readOperationOf(declaration, context), ...known };
    } catch (skip) {
      if (skip instanceof NotRunnable) return notRead({ ...known, skip }, context);
      throw skip;
    }
  });
  const leaving = context.schemas.leaving();
  const checked = all.map((each) => {
    if ('skip' in each) return each;
    const { requests, response, declaration, id } = each;
    const parts = [...requests, response].flatMap((schema) => schema?.references ?? []);
    const wholes = [requests[0], response].filter((schema) => schema != null);
    if (![...wholes, ...parts].some((part) => leaving.has(part))) return each;
    const message = 'Its schema refers to another file or to a URL, which payctl does not read';
    const skip = new NotRunnable(declaration.location, 'reference_outside', message);
    return notRead({ declaration, id, skip }, context);
  });
  return {
    read: checked.filter((each): each is Read => !('skip' in each)),
    notRead: checked.filter((each): each is NotRead => 'skip' in each),
  };
}

/** Reports that payctl cannot run an operation. */
function notRead(each: NotRead, { issues }: OperationContext): NotRead {
  const { location, code, message } = each.skip;
  const { method, path } = each.declaration;
  issues.add(location, code, `${method} ${path} cannot be run. ${message}`, true);
  return each;
}

const ID = /^[^\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}$/u;

/** The operationId of each operation if it is unique and can be typed, else its method and path. */
function idsOf(declarations: readonly Declaration[], issues: Issues): readonly string[] {
  const counts = new Map<unknown, number>();
  for (const { value } of declarations)
    counts.set(value.operationId, (counts.get(value.operationId) ?? 0) + 1);
  return declarations.map(({ value, location, method, path }) => {
    const { operationId: id } = value;
    const otherwise = `${method} ${path}`;
    if (id === undefined) return otherwise;
    const report = (code: string, what: string) =>
      issues.add(
        location,
        code,
        `The operationId ${quote(String(id))} ${what}; payctl calls the operation ${otherwise}`,
      );
    if (typeof id !== 'string' || !ID.test(id)) report('id_invalid', 'cannot be typed');
    else if ((counts.get(id) ?? 0) > 1) report('id_repeated', 'is used by several operations');
    else return id;
    return otherwise;
  });
}
