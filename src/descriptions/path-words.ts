import { own } from '../json/is-object.ts';
import { snake } from '../schemas/values/names.ts';
import type { Action } from './imported-operation.ts';
import { kebab } from './plain-text.ts';

/** The singular of a word of a path, in lower case with underscores: `payment-methods` becomes `payment_method`. */
export function singular(word: string): string {
  const plain = word.replaceAll(/[^\p{L}\p{N}]+/gu, '_').toLowerCase();
  if (/(ss|us|is)$/.test(plain)) return plain;
  if (/ies$/.test(plain)) return plain.replace(/ies$/, 'y');
  // `addresses` and `statuses`, but not `databases`, `warehouses` and `caches`.
  return plain.replace(/(?<=ss|(?<![ao])us|x|zz|(?<!ca)ch|sh)es$|s$/, '');
}

/** A path with `{}` for each parameter, without a slash or the suffix of a file format at its end. */
export function plainPath(path: string): string {
  return path
    .replaceAll(/\{[^{}]*\}/g, '{}')
    .replace(/(.)\/$/, '$1')
    .replace(/(?<=[^/])\.(?:json|xml)$/i, '');
}

/**
 * By path that ends in a parameter, how many of these paths are it or below it. Of `/contacts/{number}` and `/contacts/{id}`, the one with more is
 * the usual one.
 */
export function pathsBelow(paths: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    for (const { 0: last, index } of path.matchAll(/\{[^{}]*\}(?=\/|$)/g)) {
      const upTo = path.slice(0, index + last.length);
      counts.set(upTo, (counts.get(upTo) ?? 0) + 1);
    }
  }
  return counts;
}

/** The last word of a path, parameters aside. */
export function lastWord(path: string): string {
  return path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
}

/** What the verbs of paths and of operation ids stand for: an action, or to create what is not there and update what is. */
const VERBS: Readonly<Record<string, Action | 'upsert'>> = {
  ...{ list: 'list', search: 'list', query: 'list', find: 'list', all: 'list' },
  ...{ get: 'get', info: 'get', show: 'get', read: 'get', retrieve: 'get', fetch: 'get', describe: 'get' },
  ...{ create: 'create', add: 'create', new: 'create' },
  ...{ update: 'update', edit: 'update', modify: 'update', patch: 'update', set: 'update' },
  ...{ delete: 'delete', remove: 'delete', destroy: 'delete' },
  ...{
    upsert: 'upsert',
    'create-or-update': 'upsert',
    'update-or-create': 'upsert',
    'add-or-update': 'upsert',
  },
};

/** What a verb of a path or an operation id stands for; undefined for any other word. */
export function actionOfVerb(verb: string): Action | 'upsert' | undefined {
  return own(VERBS, verb);
}

/** What deletes, besides the verbs of the action: `cancel` and `void` have rules of their own. */
const DELETING = /^(?:purge|prune|clear|erase|wipe|deletions?|erasures?)$/;
/** Words before the verb, and words that make the contrary of it. */
const BEFORE_VERB = /^(?:api-|v\d+-|bulk-|batch-|mass-|multi-)+/;
const CONTRARY = /^(?:un|undo|cancel|restore|revert|stop|prevent|disable|enable|allow|list|get|search|find)-/;
/** What a verb is only a word for, as in `delete-protection`. */
const OF_VERB = /-(?:protection|policy|policies|markers?|permissions?|rules?|events?|status|logs?)$/;

/** Whether the name of a request is that of a deletion: the verb is its first or its last word, as in `bulk_delete_messages` or `remove-list`. */
export function isCalledDeletion(name: string): boolean {
  const words = kebab(name).replace(BEFORE_VERB, '');
  if (CONTRARY.test(words) || OF_VERB.test(words)) return false;
  const all = words.split('-');
  return [all[0] ?? '', all.at(-1) ?? ''].some(
    (word) => actionOfVerb(word) === 'delete' || DELETING.test(word),
  );
}

/**
 * The action and the resource of a path without parameters in the style of remote procedure calls: `/widgets.list`, `/widgets/list`,
 * `/widgets:list` and `/listWidgets` all list the resource `/widget`. Undefined for any other path.
 */
export function calledBy(path: string): { readonly action: Action; readonly resource: string } | undefined {
  const plain = plainPath(path);
  if (plain.includes('{}')) return undefined;
  const words = plain.split('/').flatMap((segment) => segment.split(/[.:]/));
  const last = words.pop() ?? '';
  const [, verb = '', noun = ''] = /^([a-z]+)[-_]?(.*)$/.exec(last) ?? [];
  const action = actionOfVerb(verb);
  const isLone = noun === '';
  const place = isLone ? words : [...words, noun];
  if (!action || action === 'upsert' || place.every((word) => word === '')) return undefined;
  const name = singular(snake(place.at(-1) ?? ''));
  return { action, resource: [...place.slice(0, -1), name].join('/') };
}
