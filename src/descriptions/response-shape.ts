import { isPersonalName } from '../contract/personal-names.ts';
import { isSecretName } from '../contract/secret-names.ts';
import { own } from '../json/is-object.ts';
import type { MemberMarks } from '../json/mask.ts';
import type { AnySchema } from '../schemas/definitions.ts';
import type { SchemaView, SchemaViews } from '../schemas/schema-view.ts';
import { isAmountPath, MINOR_UNIT, snake } from '../text/amount-names.ts';
import { columnKinds, moneyKind } from './column-kinds.ts';
import type { ImportedOperation, PageMembers } from './imported-operation.ts';
import { pageMembersOf } from './page-members.ts';
import { singular } from './path-words.ts';
import { kebab } from './plain-text.ts';
import {
  DESCRIBING,
  isAside,
  isShortFor,
  listNamed,
  pathBelow,
  placeOf,
  recordPath,
  usualId,
  viewAt,
  WRAPPERS,
} from './record-place.ts';
import { isSecretMember, personalMarks, SecretMarks } from './response-marks.ts';

/** What payctl derives from the schema of a successful response. */
export type ResponseShape = Pick<ImportedOperation, 'listShape' | 'envelope'> & {
  readonly hasNextCursor: boolean;
  /** The path of the record in the response; empty if the response is the record, or a list. */
  readonly path: readonly string[];
  /** Dotted path of the record in an item of a list, unless the item is the record. */
  readonly itemPlace?: string;
  /** The record, also of a list. */
  readonly record: SchemaView;
  /** What the pages of an envelope say about themselves. */
  readonly members?: PageMembers;
  /** Dotted path of the ID in an item of a list. */
  readonly itemId?: string;
  /** Texts of a page that a parameter may take, as `pageMembersOf` found them. */
  readonly tokens?: Readonly<Record<string, string>>;
  readonly shown: Shown;
};

/** Usual names of the list of an envelope. */
const OTHER_LISTS = new Set([
  'data',
  'results',
  'records',
  'entries',
  'values',
  'elements',
  'list',
  'Resources',
]);

/** Members of a response that may contain its list, one level down. */
const HOLDERS_OF_LISTS = new Set(['_embedded', 'embedded', ...WRAPPERS]);

type EnvelopeHints = { readonly collection: string | undefined; readonly isPaged: boolean };

/** What decides whether a response is a list. */
export type ListHints = {
  /** Whether the method can return a list. */
  readonly mayList: boolean;
  /** The name of a collection in its path, in lower case with hyphens: the list of an envelope may have the same name. */
  readonly collection?: string | undefined;
  /** Names of its record: see `recordPath`. */
  readonly nouns: readonly string[];
  /** Dotted path of the record, if the description gives it with `x-payctl-record`. */
  readonly record?: string | undefined;
};

/** What is shown of a record. */
type Shown = Pick<ImportedOperation, 'columns' | 'columnKinds' | 'fields' | 'majorFields'>;

/** The number of values in which fields are looked for, for all responses together; after that, only top-level members are listed. */
const FIELD_BUDGET = 200_000;

/** Reads the schemas of responses, and each shared definition once. */
export class ResponseShapes {
  readonly #views: SchemaViews;
  readonly #budget = { left: FIELD_BUDGET };
  readonly #shown = new WeakMap<SchemaView, Shown>();
  readonly #secrets = new SecretMarks();

  constructor(views: SchemaViews) {
    this.#views = views;
  }

  /** Reads the schema of a response. */
  read(
    schema: AnySchema | undefined,
    { mayList, collection, nouns, record: given }: ListHints,
  ): ResponseShape {
    const view = this.#views.of(schema);
    const isArray = mayList && view.types.has('array') && !view.types.has('object');
    if (isArray) return { listShape: 'array', hasNextCursor: false, path: [], ...this.#listed(view, nouns) };
    const { nextCursor, tokens, ...members } = pageMembersOf(view);
    const isPaged =
      nextCursor !== undefined ||
      members.next !== undefined ||
      tokens?.cursor !== undefined ||
      kebab(members.totalPages?.at(-1) ?? '') === 'total-pages';
    // An object with an id is mostly a record, and one with a name at the path of a record; its items are parts of it.
    const isNamed = collection !== undefined && listNamed(view, [singularOf(collection)]) !== undefined;
    const hasName = collection === undefined && !isPaged && view.members.has('name');
    const hasId = view.members.has('id') || namedIdOf(view) !== undefined;
    const mayBeEnvelope = mayList && (isNamed || !(hasId || hasName));
    const list = mayBeEnvelope ? listOf(view, { collection, isPaged }) : undefined;
    if (list === undefined) {
      const path = given?.split('.') ?? recordPath(view, nouns);
      const record = viewAt(view, placeOf(path));
      const shown = this.#shownOf(record);
      const [name] = path;
      if (name === undefined) return { hasNextCursor: false, path, record, shown };
      const around = fieldsOf(view, this.#budget, new Set([name, ...record.members.keys()]));
      return { hasNextCursor: false, path, record, shown: joined(shown, around) };
    }
    const isUsual = list === 'items' && (nextCursor ?? 'next_cursor') === 'next_cursor';
    return {
      listShape: 'envelope',
      ...(!isUsual && { envelope: { items: list, ...(nextCursor !== undefined && { nextCursor }) } }),
      hasNextCursor: nextCursor !== undefined,
      ...(Object.keys(members).length > 0 && { members }),
      ...(tokens && { tokens }),
      path: [],
      ...this.#listed(viewAt(view, list), nouns),
    };
  }

  /** What the schema of its items says about a list. */
  #listed(
    { items, viewOf }: SchemaView,
    nouns: readonly string[],
  ): Pick<ResponseShape, 'itemId' | 'itemPlace' | 'record' | 'shown'> {
    const item = viewOf(items);
    const place = placeOf(recordPath(item, nouns));
    const record = viewAt(item, place);
    const id = usualId(record) ?? ownIdOf(record) ?? innerIdOf(record);
    return {
      ...(id !== undefined && { itemId: pathBelow(place, id) }),
      ...(place !== undefined && { itemPlace: place }),
      record,
      shown: this.#shownOf(item, place),
    };
  }

  /** The personal data that the schema of a response marks; undefined if there are none. A schema that is too large is marked whole. */
  marks(schema: AnySchema | undefined, shape: Pick<ResponseShape, 'envelope'>): MemberMarks | undefined {
    return withItems(personalMarks(this.#views.of(schema)), shape);
  }

  /** The secrets in a response that its schema tells, and no names of members; undefined if there are none. */
  secrets(schema: AnySchema | undefined, shape: Pick<ResponseShape, 'envelope'>): MemberMarks | undefined {
    return withItems(this.#secrets.marks(this.#views.of(schema)), shape);
  }

  /** What is shown of a record, or of an item with the record at this place. */
  #shownOf(whole: SchemaView, place?: string): Shown {
    const record = viewAt(whole, place);
    const known = this.#shown.get(record);
    if (known && place === undefined) return known;
    const columns = columnsOf(record);
    const kinds = Object.entries(columnKinds(columns, record)).map(
      ([path, kind]) => [pathBelow(place, path), kind] as const,
    );
    const shown = {
      columns: columns.map((path) => pathBelow(place, path)),
      ...(kinds.length > 0 && { columnKinds: Object.fromEntries(kinds) }),
      ...fieldsOf(whole, this.#budget),
    };
    if (place === undefined) this.#shown.set(record, shown);
    return shown;
  }
}

/** The marks of a response. A list is shown with its items below `items`, wherever they came from. */
function withItems(
  mark: MemberMarks | boolean | undefined,
  { envelope }: Pick<ResponseShape, 'envelope'>,
): MemberMarks | undefined {
  const marks = mark === true ? { '*': true as const } : mark || undefined;
  const below = (at: MemberMarks | boolean | undefined, name: string) =>
    typeof at === 'object' ? own(at, name) : at;
  const ofItems = envelope?.items.split('.').reduce(below, marks);
  return ofItems === undefined ? marks : { ...marks, items: ofItems };
}

/** Dotted path of the list of an envelope, at the top or one level down. */
function listOf(view: SchemaView, hints: EnvelopeHints): string | undefined {
  const own = listIn(view, hints);
  if (own !== undefined) return own;
  for (const [name, schema] of view.members) {
    const inner = HOLDERS_OF_LISTS.has(name) ? view.viewOf(schema) : undefined;
    const isLone = name === '_embedded' || name === 'embedded';
    const found =
      inner && !inner.members.has('id')
        ? listIn(inner, { ...hints, isPaged: hints.isPaged || isLone })
        : undefined;
    if (found !== undefined) return `${name}.${found}`;
  }
  return undefined;
}

/**
 * The member of an envelope that is its list: `items`, a usual name, that of the collection or a part of it, else the only one with objects,
 * in pages, or of records where all others describe the response.
 */
function listIn({ members, viewOf }: SchemaView, { collection, isPaged }: EnvelopeHints): string | undefined {
  const items = members.has('items') ? viewOf(members.get('items')) : undefined;
  if (items && (items.types.has('array') || items.items !== undefined)) return 'items';
  const arrays = [...members].filter(([name, member]) => {
    const { types } = viewOf(member);
    return types.has('array') && !types.has('object') && !name.includes('.');
  });
  const named =
    arrays.find(([name]) => OTHER_LISTS.has(name)) ??
    arrays.find(([name]) => collection && singularOf(name) === singularOf(collection)) ??
    arrays.find(([name]) => collection && isShortFor(singularOf(name), singularOf(collection)));
  if (named) return named[0];
  const [only, ...others] = arrays.filter(
    ([name, member]) => !DESCRIBING.has(kebab(name)) && viewOf(viewOf(member).items).members.size > 0,
  );
  const isAlone = [...members].every(
    ([name, member]) => name === only?.[0] || (DESCRIBING.has(kebab(name)) && isAside(viewOf(member))),
  );
  if (only === undefined || others.length > 0) return undefined;
  const hasRecords = collection !== undefined && ownIdOf(viewOf(viewOf(only[1]).items)) !== undefined;
  return isPaged || (hasRecords && isAlone) ? only[0] : undefined;
}

function singularOf(name: string): string {
  return kebab(singular(kebab(name)));
}

const MOST_FIELDS = 500;
const DEEPEST_FIELD = 6;

type Fields = Pick<Shown, 'fields' | 'majorFields'>;

/** What is shown of a record, with fields around it. */
function joined(shown: Shown, { fields, majorFields = [] }: Fields): Shown {
  const major = [...(shown.majorFields ?? []), ...majorFields];
  return {
    ...shown,
    fields: [...shown.fields, ...fields],
    ...(major.length > 0 && { majorFields: major }),
  };
}

/**
 * The dotted paths of the members of a value, except those that are left out: parents before children, `0` is any element, `*` any
 * descendant.
 */
function fieldsOf(
  top: SchemaView,
  budget: { left: number },
  leftOut: ReadonlySet<string> = new Set(),
): Fields {
  const deepest = budget.left > 0 ? DEEPEST_FIELD : 1;
  const fields = new Set<string>();
  const majorFields = new Set<string>();
  const waiting: { readonly view: SchemaView; readonly above: string; readonly within: readonly string[] }[] =
    [{ view: top, above: '', within: [] }];
  for (let next = waiting.shift(); next !== undefined && fields.size < MOST_FIELDS; next = waiting.shift()) {
    const { view, above } = next;
    budget.left -= 1;
    const parts = [...view.members, ...(view.items === undefined ? [] : [['0', view.items] as const])];
    const isClosed = view.name !== undefined && next.within.includes(view.name);
    if (parts.length === 0 || isClosed || next.within.length >= deepest) {
      const mayHold = view.types.size === 0 || view.types.has('object') || view.types.has('array');
      if (above !== '' && mayHold && !view.values) fields.add(`${above}*`);
      continue;
    }
    const within = [...next.within, view.name ?? ''];
    for (const [name, schema] of parts) {
      if (view === top && leftOut.has(name)) continue;
      const part = view.viewOf(schema);
      fields.add(above + name);
      const isMajor = part.types.has('number') && isAmountPath(above + name) && !MINOR_UNIT.test(snake(name));
      if (isMajor) majorFields.add(above + name);
      waiting.push({ view: part, above: `${above}${name}.`, within });
    }
  }
  return {
    fields: [...fields].slice(0, MOST_FIELDS),
    ...(majorFields.size > 0 && { majorFields: [...majorFields] }),
  };
}

/** Of little use in a table, unless they are all that an item has. */
const LAST_SHOWN = new Set(['type', 'object', 'id']);
const MOST_COLUMNS = 8;
/** A member of little interest is a column only if there are few others; one of no interest never is. */
const FEW_COLUMNS = 3;
const GOOD_RATE = 45;
/** Personal data are masked in most runs: of them, only what a person is known by is a column. */
const PERSONAL = 45;
const PERSONAL_NAME = 19;
const OF_PERSON = /(?:^|_)(?:name|email|email_address)$/;
/** A record is known by its name, its status, its amount or its kind; where it has none, by what it belongs to. */
const KNOWN_BY = 73;
const MOST_OWNERS = 2;
const LEAST_RATE = 25;
const SCALARS = new Set(['string', 'number', 'integer', 'boolean']);

/** How useful a member is in a table, by its name; the first pattern that matches counts. */
const USEFULNESS: readonly (readonly [RegExp, number])[] = [
  [/^(status|state)$/, 100],
  [/^(amount|total|balance|value)$/, 95],
  [/^(total_amount|amount_total|grand_total|amount_due)$/, 92],
  [/(^|_)(amount|total)$/, 70],
  [/^currency$/, 94],
  [/^(name|title|label|display_name|number)$/, 90],
  [/^(first_name|last_name|given_name|family_name)$/, 94],
  [/^(method|scheme|kind|type|action|event|reason|code|category|mode|provider|country)$/, 75],
  [/(^|_)(created_at|date_created|created|create_time|timestamp|created_date)$/, 72],
  [/^(updated|modified|update_time)$|(updated_at|date_modified)$/, 45],
  [/(_name|_label|_title|_code)$/, 65],
  [/^(external_identifier|reference|description|slug|email|email_address)$/, 64],
  [/(_status|_state)$/, 62],
  [/^(latitude|longitude|lat|lng|lon)$/, 46],
  [/(_at|_date|_time|^date)/, 50],
  [/^(active|enabled|is_active|is_enabled|default|is_default)$/, 48],
  [/_id$/, 20],
  [/(url|uri|href|link|checksum|fingerprint|hash)$/, 5],
];

/** The columns of a table: the id, then the most useful members. Required members count more; secrets are never columns. */
function columnsOf(view: SchemaView): string[] {
  const { members, required, viewOf } = view;
  const ownId = ownIdOf(view);
  const group = viewOf(members.get('attributes'));
  // The fields of a record of JSON:API are its `attributes`.
  if (ownId === 'id' && group.members.size > 0 && group.name !== view.name) {
    const inner = columnsOf(group).filter((path) => !path.includes('.') && path !== 'id');
    return [ownId, ...inner.map((path) => `attributes.${path}`)];
  }
  const seen = new Set<string>();
  const rated = [...members].flatMap(([name, schema]) => {
    const member = viewOf(schema);
    if (name === ownId || name.includes('.') || isSecretMember(name, member, view)) return [];
    const whole = kebab(name).replaceAll('-', '_');
    // Some services send a member under two names, as `created_at` and `createdAt`.
    if (seen.has(whole)) return [];
    seen.add(whole);
    const plain = whole.replace(MINOR_UNIT, '');
    const { types, values, isUnion } = member;
    const isNested = !isUnion && types.size === 1 && types.has('object');
    const inner = isNested ? telling(member) : undefined;
    const isScalar = !isUnion && [...types].every((type) => SCALARS.has(type));
    if (!inner && !(isScalar && (types.size > 0 || values))) return [];
    const path = inner ? `${name}.${inner.name}` : name;
    const tellsApart = values ? values.length > 1 : !LAST_SHOWN.has(name);
    if (!inner && !tellsApart) return [{ name: path, rate: 0 }];
    const usual = inner
      ? Math.max(inner.least, rateOf(plain, OTHER_NESTED))
      : rateOf(plain, values ? 55 : 30);
    const isPersonal = isPersonalName(name) || (inner !== undefined && isPersonalName(inner.name));
    const less = isPersonal ? (OF_PERSON.test(plain) ? PERSONAL_NAME : PERSONAL) : 0;
    return [{ name: path, rate: usual + (required.has(name) ? 15 : 0) - less }];
  });
  const sorted = rated.toSorted((a, b) => b.rate - a.rate);
  const best = sorted.filter(({ rate }, index) => rate >= (index < FEW_COLUMNS ? LEAST_RATE : GOOD_RATE));
  const isKnown = rated.some(({ rate }) => rate >= KNOWN_BY);
  const owners = rated.filter((one) => OWNER.test(kebab(one.name)) && !best.includes(one));
  if (!isKnown) best.push(...owners.slice(0, MOST_OWNERS));
  // A blank line says nothing of an item.
  if (best.length === 0 && ownId === undefined) best.push(...sorted.slice(0, FEW_COLUMNS));
  best.splice(MOST_COLUMNS);
  const names = best.map(({ name }) => name);
  const isPriced = names.includes('amount') && names.includes('currency');
  const others = names.filter((name) => name !== 'currency');
  // The currency comes directly after its amount.
  const ordered = isPriced ? others.toSpliced(others.indexOf('amount') + 1, 0, 'currency') : names;
  return [...(ownId === undefined ? [] : [ownId]), ...ordered];
}

function rateOf(name: string, usual: number): number {
  return USEFULNESS.find(([pattern]) => pattern.test(name))?.[1] ?? usual;
}

/** What a nested object is known by: its money, or a name, a status or a number. */
const TELLING = [
  'name',
  'login',
  'username',
  'userName',
  'display_name',
  'displayName',
  'full_name',
  'fullName',
  'title',
  'label',
  'status',
  'state',
  'number',
  'email',
];

/** How useful a nested object is where its own name does not say so. */
const OTHER_NESTED = 60;
const MONEY = 90;

/** The member of a nested object that a table shows of it, and how useful it is at least. */
function telling(object: SchemaView): { readonly name: string; readonly least: number } | undefined {
  const { members, viewOf } = object;
  const money = moneyKind(object);
  if (money) return { name: money.name, least: MONEY };
  const name = TELLING.find((member) => {
    const { types, isUnion } = viewOf(members.get(member));
    return members.has(member) && !isUnion && types.size > 0 && [...types].every((type) => SCALARS.has(type));
  });
  return name === undefined ? undefined : { name, least: 0 };
}

const OWNER = /-(?:id|uuid|guid|token)$/;
const ID_NAME = /(?:^|-)(?:id|uuid|guid|gid|sid)$/;

/** The member with the ID of a record: `id`, a member named after its schema (`dispute_id` of a `dispute`), or the first one. */
function ownIdOf(view: SchemaView): string | undefined {
  if (view.members.has('id')) return 'id';
  const [first] = view.members.keys();
  return namedIdOf(view) ?? idsIn(view).find((name) => name === first);
}

function namedIdOf(view: SchemaView): string | undefined {
  const words = `${kebab(view.name ?? '')}-`;
  const isNamedAfter = (name: string) =>
    words.startsWith(kebab(name).replace(/(?:id|uuid|guid|gid|sid)$/, ''));
  return idsIn(view).find((name) => /-/.test(kebab(name)) && isNamedAfter(name));
}

function idsIn({ members, viewOf }: SchemaView): readonly string[] {
  return [...members.keys()].filter((name) => {
    const { types } = viewOf(members.get(name));
    const isScalar = [...types].every((type) => type === 'string' || type === 'integer');
    return isScalar && types.size > 0 && !isSecretName(name) && ID_NAME.test(kebab(name));
  });
}

/** The ID of the only record that a record without an ID always has in it, such as the `user` of a member. */
function innerIdOf({ members, required, viewOf }: SchemaView): string | undefined {
  const holders = [...members].filter(
    ([name, schema]) => required.has(name) && viewOf(schema).members.has('id'),
  );
  return holders.length === 1 ? `${holders[0]?.[0]}.id` : undefined;
}
