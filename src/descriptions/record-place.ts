import { FIRST } from '../schemas/schema-at.ts';
import type { SchemaView } from '../schemas/schema-view.ts';
import { singular } from './path-words.ts';
import { kebab } from './plain-text.ts';
import { isSecretMember } from './response-marks.ts';

/** Names of members that contain a record, of whatever kind. */
export const WRAPPERS: readonly string[] = [
  'data',
  'result',
  'response',
  'resource',
  'record',
  'item',
  'payload',
];

/** Names of members next to a record or a list that describe the response. */
export const DESCRIBING: ReadonlySet<string> = new Set([
  ...[
    'meta',
    'metadata',
    'links',
    '-links',
    'link',
    'included',
    'jsonapi',
    'pagination',
    'paging',
    'extensions',
  ],
  ...[
    'success',
    'ok',
    'status',
    'code',
    'message',
    'messages',
    'error',
    'errors',
    'problem',
    'warning',
    'warnings',
    'notes',
  ],
  ...['request-id', 'version', 'object', 'type', 'kind', 'timestamp', 'took', 'total', 'count', 'sync-token'],
]);

/** How deep a record may be nested. */
const DEEPEST = 2;

/**
 * The path of the record in a body, as names of members; empty if the body is the record. A member with one of the `nouns`, which are
 * names of the record, or with a general name such as `data` contains it, unless a member next to it is a field.
 */
export function recordPath(view: SchemaView, nouns: readonly string[]): readonly string[] {
  return descend(view, (at) =>
    at === view ? (wrapperIn(at, nouns) ?? loneRecordIn(at) ?? listNamed(at, nouns)) : wrapperIn(at, nouns),
  );
}

/** The names of the members that lead down from a body, each chosen in the object before it, until none is. Of a list it is the first element. */
function descend(view: SchemaView, memberIn: (at: SchemaView) => string | undefined): readonly string[] {
  const path: string[] = [];
  for (let at = view; path.length < DEEPEST; ) {
    const name = at.items === undefined ? memberIn(at) : FIRST;
    if (name === undefined) break;
    path.push(name);
    at = viewAt(at, name);
  }
  return path;
}

function wrapperIn(view: SchemaView, nouns: readonly string[]): string | undefined {
  const { members, viewOf } = view;
  if (members.has('id') || members.has('attributes') || members.has('_links')) return undefined;
  const objects = [...members].filter(([, schema]) => isRecord(viewOf(schema))).map(([name]) => name);
  const exact = nouns.flatMap((noun) => objects.filter((name) => kebab(name) === noun))[0];
  if (exact !== undefined && hasId(viewOf(members.get(exact))) && !hasId(view)) return exact;
  const named = exact ?? objects.find((name) => nouns.some((noun) => isShortFor(kebab(name), noun)));
  const general = objects.find((name) => WRAPPERS.includes(kebab(name)));
  const found = named ?? general;
  if (found === undefined) return undefined;
  const others = [...members.keys()].filter((name) => name !== found);
  return others.every((name) => DESCRIBING.has(kebab(name)) || isAside(viewOf(members.get(name))))
    ? found
    : undefined;
}

/** Whether one of two names is the end of the other: a `cluster` may be a `kubernetes-cluster`, and a `custom-field` a `field`. */
export function isShortFor(one: string, other: string): boolean {
  return one.endsWith(`-${other}`) || other.endsWith(`-${one}`);
}

/** The only member that does not describe the response, if it has an ID: `share` in the response of `/nfs/{id}`. */
function loneRecordIn(view: SchemaView): string | undefined {
  if (hasId(view)) return undefined;
  const [name, ...others] = [...view.members.keys()].filter((one) => !DESCRIBING.has(kebab(one)));
  const inner = name === undefined || others.length > 0 ? undefined : view.viewOf(view.members.get(name));
  return inner && isRecord(inner) && hasId(inner) ? name : undefined;
}

/**
 * The member that has the records of a response in a list: `Accounts` in that of `/Accounts/{id}`. An object with an ID is a record, unless
 * all other members describe the response: then the ID does, too.
 */
export function listNamed(view: SchemaView, nouns: readonly string[]): string | undefined {
  const { members, viewOf } = view;
  const others = [...members.keys()].filter((name) => !DESCRIBING.has(kebab(name)));
  const isNamed = (name: string) => nouns.includes(kebab(singular(kebab(name))));
  const found = others.find((name) => isNamed(name) && isListOfRecords(viewOf(members.get(name))));
  if (found === undefined || !hasId(view)) return found;
  const record = viewOf(viewOf(members.get(found)).items);
  const isPart = record.name !== undefined && record.name === view.name;
  return isPart || others.some((name) => name !== found && !IDS.includes(kebab(name))) ? undefined : found;
}

function isListOfRecords({ types, items, viewOf }: SchemaView): boolean {
  return types.has('array') && types.size === 1 && isRecord(viewOf(items));
}

function hasId({ members }: SchemaView): boolean {
  return [...members.keys()].some((name) => IDS.includes(kebab(name)));
}

/** Whether a member can be next to a record: not a value that could be a field of the record. */
export function isAside({ types, members }: SchemaView): boolean {
  return types.has('array') || (members.size > 0 && (types.size === 0 || types.has('object')));
}

function isRecord({ types, members, items }: SchemaView): boolean {
  return members.size > 0 && items === undefined && [...types].every((type) => type === 'object');
}

/**
 * The path of the record in a request body: the member that contains it in the response, or that has its name. A member that the
 * record also has is a field of the record.
 */
export function sentRecordPath(
  body: SchemaView,
  nouns: readonly string[],
  { path, record }: { readonly path: readonly string[]; readonly record: SchemaView },
): readonly string[] {
  return descend(body, ({ members, viewOf }) => {
    const isWrapper = (name: string) =>
      (path.includes(name) ||
        nouns.includes(kebab(name)) ||
        (WRAPPERS.includes(name) && members.size === 1)) &&
      !record.members.has(name) &&
      (isRecord(viewOf(members.get(name))) ||
        (path.includes(name) && isListOfRecords(viewOf(members.get(name)))));
    return [...members.keys()].find(isWrapper);
  });
}

/** Names of members that identify a record in its path, other than IDs. */
const KEYS: readonly string[] = [
  ...['slug', 'key', 'code', 'login', 'username', 'name', 'number', 'handle', 'reference'],
  ...['ip', 'email', 'domain', 'address'],
];
const IDS: readonly string[] = ['id', 'uuid', 'guid', 'gid', 'sid', 'uid', 'token'];

/** The member that identifies a record, if it has one of the usual names. */
export function usualId({ members, viewOf }: SchemaView): string | undefined {
  return IDS.find((name) => {
    const { types } = viewOf(members.get(name));
    return members.has(name) && (name === 'id' || types.has('string') || types.has('integer'));
  });
}

/** The parameter at the end of the path of a record. */
export type RecordParameter = { readonly name: string; readonly isInteger: boolean };

/**
 * Dotted path of the member with the ID that the path of a record takes: `id`, one with the name of the parameter (`gid` for
 * `{task_gid}`) or with the noun in or out of it, or another unique name, also in `metadata`; undefined where there is none.
 */
export function idPathOf(
  record: SchemaView,
  { noun, parameter }: { readonly noun: string; readonly parameter: RecordParameter | undefined },
): string | undefined {
  const plain = kebab(parameter?.name ?? 'id');
  const last = plain.replace(/^.*-/, '');
  const ofNoun = `${noun}-${last}`;
  // An order may have an `external_id` for `{external_order_id}`.
  const short = plain.replace(`${noun}-`, '');
  const ids = [
    ...(KEYS.includes(last) || (last !== 'id' && IDS.includes(last))
      ? [plain, ofNoun, last, 'id', `${noun}-id`]
      : ['id', plain, ofNoun, short, last, `${noun}-id`]),
    ...IDS,
  ];
  // A `repo` may be the name of one, but a `key_id` or `key_identifier` is its ID, also where that is a number.
  const isId = IDS.includes(last) || last === 'identifier';
  const all = [...ids, ...KEYS];
  const steps = [[true, isId ? ids : all] as const, [false, all] as const];
  const metadata = record.members.get('metadata');
  const within = metadata === undefined ? undefined : record.viewOf(metadata);
  for (const [isStrict, names] of steps) {
    const find = (holder: SchemaView, wanted: readonly string[]) => {
      const { members, viewOf } = holder;
      const fits = (name: string) => {
        const member = viewOf(members.get(name));
        return canName(member, isStrict ? parameter : undefined) && !isSecretMember(name, member, holder);
      };
      const keys = [...members.keys()].filter((name) => !name.includes('.') && fits(name));
      return wanted.flatMap((name) => keys.filter((one) => kebab(one) === name))[0];
    };
    const own = find(record, names);
    if (own !== undefined) return own;
    const inner = within && find(within, [plain, last, 'name', 'uid']);
    if (inner !== undefined) return `metadata.${inner}`;
  }
  return undefined;
}

/** Whether a member can hold the value of a parameter: a string or an integer, and for a string parameter a string. */
function canName({ types, members, items }: SchemaView, parameter: RecordParameter | undefined): boolean {
  if (
    members.size > 0 ||
    items !== undefined ||
    ['array', 'object', 'boolean', 'number'].some((one) => types.has(one))
  )
    return false;
  return parameter === undefined || parameter.isInteger || types.size === 0 || types.has('string');
}

/** A path of members as it is stored; undefined for none. */
export function placeOf(path: readonly string[]): string | undefined {
  return path.length === 0 || path.some((name) => name.includes('.')) ? undefined : path.join('.');
}

/** A dotted path below another one. */
export function pathBelow(above: string | undefined, path: string): string {
  return above === undefined ? path : `${above}.${path}`;
}

/** The view at a dotted path of members and first elements. */
export function viewAt(view: SchemaView, path: string | undefined): SchemaView {
  const below = (at: SchemaView, name: string) =>
    at.viewOf(name === FIRST ? (at.members.get(name) ?? at.items) : at.members.get(name));
  return path?.split('.').reduce(below, view) ?? view;
}
