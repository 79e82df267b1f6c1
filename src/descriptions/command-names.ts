import { type Operation, RESERVED_PREFIX } from '../contract/operation.ts';
import { quote } from '../text/format.ts';
import { type Declaration, pathNames } from './declaration.ts';
import type { Issues } from './issues.ts';
import { commonPrefix, resourceIn, splitVersion, versionsOf } from './path-versions.ts';
import { actionOfVerb, calledBy, lastWord, pathsBelow, singular } from './path-words.ts';
import { kebab } from './plain-text.ts';
import { isReadingPath, SUFFIX } from './reads.ts';

/** What a command is named by. */
export type Nameable = Declaration & {
  readonly id: string;
  /** Whether its response contains a list, in any form, or is described as one record: an `item` has an ID. */
  readonly returns?: 'list' | 'record' | 'item' | undefined;
  /** It requires the IDs of the records that it changes. */
  readonly takesIds?: boolean;
  /** payctl cannot run the operation, so it never takes a name from one that payctl can run. */
  readonly isNotRun?: boolean;
};

/** The words of a command, and further words that name it. */
export type CommandName = {
  readonly command: string;
  readonly aliases: readonly string[];
  /** The operation changes a collection, not one item of it. */
  readonly isForAll: boolean;
};

/** The commands that payctl has without a description, by their words, and the operation that each calls, as `METHOD /path/{}`. */
export type BuiltInCommands = ReadonlyMap<string, string | undefined>;

const OWN_NAME = 'x-payctl-name';
const WORDS = /^[a-z][a-z0-9-]*( [a-z][a-z0-9-]*){0,9}$/;
/** Reserved first words, in addition to those of payctl's own topics. */
const RESERVED = ['help', 'version', 'bulk', 'export', 'sync', 'webhooks'];
/** The verb at the end of a path such as `/widgets.list`. */
const DOTTED = /\.([a-z]+)$/i;

/**
 * The commands of operations, in their order: each has one of its own. Where several would have the same, the one with the
 * fewest arguments has it, and the others are named by their operation ids, which is reported.
 */
export function nameCommands(
  operations: readonly Nameable[],
  builtIn: BuiltInCommands,
  issues: Issues,
): readonly CommandName[] {
  const namer = new Namer(operations, builtIn, issues);
  const ranked = operations.map((operation) => ({ operation, rank: namer.rank(operation) }));
  const order = ranked.sort((a, b) => a.rank.map((part, at) => part - (b.rank[at] ?? 0)).find(Boolean) ?? 0);
  const commands = new Map(order.map(({ operation }) => [operation, namer.name(operation)]));
  return operations.map((operation) => {
    const command = commands.get(operation) ?? '';
    return { command, aliases: namer.aliases(operation, command), isForAll: namer.isForAll(operation) };
  });
}

class Namer {
  /** The commands of payctl itself, and their topics. */
  readonly #topics: ReadonlySet<string>;
  readonly #reserved: ReadonlySet<string>;
  readonly #calls: ReadonlyMap<string, string>;
  readonly #issues: Issues;
  readonly #prefix: number;
  readonly #withoutSuffix: ReadonlyMap<string, string>;
  /** The nouns of dotted paths of which one at least has a known verb: `/rooms` of `/rooms.list`. */
  readonly #called: ReadonlySet<string>;
  /** `GET /a/{}`; `list /a` and `record /a` for what a GET returns; `items /a` and `PUT items /a` for a path with items below it. */
  readonly #facts: ReadonlySet<string>;
  readonly #versions: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #below: ReadonlyMap<string, number>;
  /** The names in use, each with its operation; an alias has none. */
  readonly #taken = new Map<string, Nameable | undefined>();

  constructor(operations: readonly Nameable[], builtIn: BuiltInCommands, issues: Issues) {
    this.#issues = issues;
    this.#topics = new Set([...builtIn.keys()].flatMap(beginnings));
    this.#calls = new Map(
      [...builtIn].flatMap(([words, call]) => (call === undefined ? [] : [[call, words] as const])),
    );
    this.#reserved = reservedWords(builtIn);
    const paths = [...new Set(operations.map(({ path }) => path))];
    this.#withoutSuffix = withoutSuffixes(paths);
    this.#called = new Set(paths.flatMap((path) => (calledBy(path) ? [path.replace(DOTTED, '')] : [])));
    this.#prefix = commonPrefix(paths);
    this.#below = pathsBelow(operations.map(({ path }) => path));
    this.#versions = versionsOf(operations.map(({ path }) => this.#segments(path)));
    this.#facts = new Set(
      operations.flatMap(({ id, method, path, returns }) => {
        const shape = this.#shapeOf(path);
        const above = `items ${collectionOf(shape)}`;
        const items = isItem(shape) ? [above, `${method} ${above}`] : [];
        return [
          `${method} ${shape}`,
          ...(method === 'GET' && returns ? [`${returns === 'list' ? returns : 'record'} ${shape}`] : []),
          ...(actionOfVerb(verbOfId({ id, path }) ?? '') === 'update' ? [`${method} update ${shape}`] : []),
          ...items,
        ];
      }),
    );
  }

  /**
   * Orders by what payctl can run, then what is built in, then what is named by hand, then the fewest arguments, then the most paths below.
   * An action of a collection comes after the same action of one item: `/payments/cancel` after `/payments/{id}/cancel`.
   */
  rank(operation: Nameable): readonly number[] {
    const { method, path, value, isNotRun } = operation;
    // A DELETE has the name before a POST that deletes.
    const isDeletion = method === 'POST' && actionOfVerb(kebab(lastWord(path))) === 'delete';
    const last = isNotRun ? 2 : isDeletion || contraryVerb(operation) === 'delete' ? 1 : 0;
    const count = path.split('{').length + (this.#isBesideItem(operation) ? 1.5 : 0);
    const byHand = value[OWN_NAME] === undefined ? 2 + count : 1;
    return [last, this.#calls.has(callOf(operation)) ? 0 : byHand, -(this.#below.get(path) ?? 0)];
  }

  #isBesideItem({ method, path }: Nameable): boolean {
    const shape = this.#shapeOf(path);
    const above = shape.slice(0, shape.lastIndexOf('/'));
    const others = [`GET ${shape}`, `items ${shape}`];
    if (above === '' || method === 'GET' || isReadingPath(path)) return false;
    const both = [`${method} ${above}/{}${shape.slice(above.length)}`, `GET ${above}/{}`];
    return both.every((fact) => this.#facts.has(fact)) && !others.some((fact) => this.#facts.has(fact));
  }

  name(operation: Nameable): string {
    const builtIn = this.#calls.get(callOf(operation));
    const isOwn = builtIn !== undefined && !this.#taken.has(builtIn);
    const name = isOwn ? builtIn : this.#chosen(operation);
    this.#taken.set(name, operation);
    return name;
  }

  #chosen(operation: Nameable): string {
    const meant = this.#wanted(operation) ?? this.#derived(operation);
    const words = this.#isReserved(meant) ? RESERVED_PREFIX + meant : meant;
    const name = this.#isFree(words) ? words : this.#otherwise(operation, words);
    if (name !== meant && !operation.isNotRun) {
      const owner = this.#taken.get(meant);
      const taken = `is taken by ${owner ? `${owner.method} ${owner.path}` : 'payctl itself'}`;
      const why = words === meant ? taken : 'is reserved for payctl itself';
      const message = `The command name ${quote(meant)} ${why}; this operation is ${quote(name)}`;
      this.#issues.add(operation.location, 'name_taken', message);
    }
    return name;
  }

  aliases({ value, location }: Nameable, command: string): readonly string[] {
    const aliases: string[] = [];
    for (const other of otherNamesIn(value)) {
      const words = wordsOf(other);
      if (words === command) continue;
      if (words !== undefined && this.#isFree(words)) {
        aliases.push(words);
        this.#taken.set(words, undefined);
      } else {
        const message = `The alias ${quote(String(other))} is ${words === undefined ? 'not a valid command name' : 'taken'}; it is ignored`;
        this.#issues.add(location, 'alias_ignored', message);
      }
    }
    return aliases;
  }

  #isFree(words: string): boolean {
    return !this.#isReserved(words) && !this.#taken.has(words) && !this.#topics.has(words);
  }

  /** Whether a name begins with a word that is reserved for payctl's own topics. */
  #isReserved(words: string): boolean {
    return this.#reserved.has(words.split(' ')[0] ?? '');
  }

  #wanted({ value: { [OWN_NAME]: wanted }, location }: Nameable): string | undefined {
    if (wanted === undefined) return undefined;
    if (typeof wanted === 'string' && WORDS.test(wanted)) return wanted;
    const message =
      '"x-payctl-name" may contain only words of lower-case letters, digits and hyphens; it is ignored';
    this.#issues.add(location, 'name_invalid', message);
    return undefined;
  }

  #derived(operation: Nameable): string {
    const all = this.#segments(operation.path);
    const { version, words: rest } = splitVersion(all);
    const resource = resourceIn(rest);
    // Where two versions have the resource, each keeps its own, so that neither takes the name of the other.
    const isAmbiguous =
      this.#topics.has(resource) ||
      this.#reserved.has(resource) ||
      (this.#versions.get(resource)?.size ?? 0) > 1;
    const words = all
      .slice(isAmbiguous ? 0 : version.length)
      .flatMap((segment) => kebab(segment.replace(/\{[^}]*\}/g, ' ')) || []);
    const verb = this.#verb(operation, words);
    // `/widgets/list` is `widgets list`, unless that is a list, too, or has items of its own.
    const shape = this.#shapeOf(operation.path);
    const others = [`items ${shape}`, `GET ${shape}/{}`, `list ${shape.replace(/\/list$/, '')}`];
    const isNamed = verb === 'list' && /.\/list$/.test(shape) && !others.some((one) => this.#facts.has(one));
    return [...words, ...(verb && !isNamed ? [verb] : [])].join(' ');
  }

  #segments(path: string): readonly string[] {
    const whole = this.#withoutSuffix.get(path) ?? path;
    // `/widgets.list` is `widgets list`, as `/widgets/list` is, and next to it `/widgets.archive` is `widgets archive`.
    const plain = this.#isCalled(whole) ? whole.replace(DOTTED, '/$1') : whole;
    return plain.split('/').slice(1 + this.#prefix);
  }

  /** Whether a dotted path ends in a verb. */
  #isCalled(path: string): boolean {
    return DOTTED.test(path) && this.#called.has(path.replace(DOTTED, ''));
  }

  #shapeOf(path: string): string {
    return shapeOf(this.#withoutSuffix.get(path) ?? path);
  }

  /** Whether an operation changes a whole collection: a path that returns a list, or that has items and is not a record itself. */
  isForAll({ id, method, path, takesIds }: Nameable): boolean {
    const shape = this.#shapeOf(path);
    const is = (fact: string) => this.#facts.has(`${fact} ${shape}`);
    const isOther = method === 'GET' || method === 'POST' || isItem(shape) || takesIds;
    if (isOther || contraryVerb({ id, method, path })) return false;
    return is('list') || (is('items') && (is(`${method} items`) || !is('record')));
  }

  #verb(operation: Nameable, words: readonly string[]): string | undefined {
    const { method, path, returns } = operation;
    const shape = this.#shapeOf(path);
    const has = (fact: string, at = shape) => this.#facts.has(`${fact} ${at}`);
    if (this.#isCalled(shape)) return undefined;
    const contrary = contraryVerb(operation);
    if (contrary && (isItem(shape) || has('GET') || has('items'))) return contrary;
    if (method === 'GET') {
      if (isItem(shape) && (has('GET', collectionOf(shape)) || has('GET', shape.slice(0, -3)))) return 'get';
      const word = kebab(lastWord(shape));
      if (returns === 'item' && (isItem(shape) || kebab(singular(word)) === word)) return 'get';
      // Any other path with items below it is a list, whatever its response looks like.
      const isList = returns === 'list' || (returns === undefined && word === 'list');
      return isList || has('GET', `${shape}/{}`) || has('items') ? 'list' : 'get';
    }
    if (method === 'POST') {
      if (isItem(shape)) {
        const verb = verbOfId(operation);
        if (verb !== undefined && ACTION_ON_ITEM.test(verb)) return verb;
        return has('PATCH') || (has('PUT') && !has('POST update')) ? 'create' : 'update';
      }
      if (has('GET') || has('items')) return 'create';
      return words.length > 1 || isReadingPath(path) ? undefined : 'create';
    }
    if (method !== 'DELETE' && this.#isAction(operation)) return undefined;
    // With both, PATCH is the update: a body with some of the fields must never reach the PUT, which removes the others.
    const isReplacement = method === 'PUT' && (has('PATCH') || (isItem(shape) && has('POST update')));
    const verb = method === 'DELETE' ? 'delete' : isReplacement ? 'replace' : 'update';
    // `/widgets/{id}/delete` and `/widgets/bulk-update` say it themselves.
    if (!isItem(shape) && !has('GET') && actionOfVerb(words.at(-1)?.split('-').at(-1) ?? '') === verb)
      return undefined;
    return this.isForAll(operation) ? `${verb}-all` : verb;
  }

  /** Whether a PUT or PATCH is the action that its path and its operation id name, as `disableRoute` at `/routes/{id}/disable`. */
  #isAction({ id, path }: Nameable): boolean {
    const shape = this.#shapeOf(path);
    const isAlone = ['GET', 'POST', 'DELETE', 'items'].every((fact) => !this.#facts.has(`${fact} ${shape}`));
    return isAlone && shape.includes('/{}/') && `${kebab(id)}-`.startsWith(`${kebab(lastWord(path))}-`);
  }

  /** The operation id; else the derived words with what tells the operation apart. */
  #otherwise({ id, path, method }: Nameable, derived: string): string {
    const byId = id.includes(' ') ? '' : kebab(id);
    const parameters = pathNames(path).map(kebab).join('-');
    const told = `${derived}-by-${parameters || method.toLowerCase()}`;
    const candidates = [byId, told].filter((one) => WORDS.test(one) && !this.#isReserved(one));
    const [base = 'operation'] = candidates;
    let name = candidates.find((one) => this.#isFree(one));
    for (let number = 2; name === undefined; number += 1)
      if (this.#isFree(`${base}-${number}`)) name = `${base}-${number}`;
    return name;
  }
}

/**
 * The verb of an operation id that says something else than its method does elsewhere: a `POST` that deletes, which must not be called
 * `create`, and a `PUT` of a collection that creates records, or creates some and updates others, which must not be called `update-all`.
 */
export function contraryVerb({
  id,
  method,
  path,
}: Pick<Operation, 'id' | 'method' | 'path'>): 'create' | 'delete' | 'upsert' | undefined {
  const action = actionOfVerb(verbOfId({ id, path }) ?? '');
  const isBulk = /^(?:bulk|mass)-/.test(kebab(id));
  if (method === 'GET' || method === 'DELETE') return undefined;
  if (action === 'delete') return action;
  if (path.endsWith('}')) return undefined;
  if (action === 'upsert') return action;
  return !isBulk && action === 'create' && method === 'PUT' ? action : undefined;
}

/** The verb of an operation id whose object is the last word of the path, in words with hyphens. */
function verbOfId({ id, path }: Pick<Operation, 'id' | 'path'>): string | undefined {
  const [, verb, object = ''] = ID_WORDS.exec(kebab(id)) ?? [];
  // `deleteAllAccounts` and `deleteTeamAccounts` are about the record of `/accounts`, and `deleteAccountNote` is not.
  const isOfPath = `-${kebab(singular(object))}`.endsWith(`-${kebab(singular(kebab(lastWord(path))))}`);
  return isOfPath ? verb : undefined;
}

/** What a POST on a record may do without another word in its path. */
const ACTION_ON_ITEM =
  /^(?:cancel|abort|stop|start|restart|retry|resume|pause|close|reopen|approve|reject|confirm|archive|restore|resend)$/;

/** The verb and the object of an operation id in words with hyphens. */
const ID_WORDS = /^(?:bulk-|mass-)?([a-z]+(?:-or-[a-z]+)?)-(?:(?:all|many|multiple)-)?(.*?)(?:-by-.*)?$/;

/** Names that the extensions of other programs give an operation. */
function otherNamesIn(value: Declaration['value']): readonly unknown[] {
  const { 'x-cli-name': name, 'x-speakeasy-group': group, 'x-speakeasy-name-override': override } = value;
  const topic = typeof group === 'string' ? `${group}.` : '';
  return [name, typeof override === 'string' ? topic + override : undefined].filter(
    (one) => one !== undefined,
  );
}

/** The reserved first words: the topics of payctl whose commands call no operation. */
function reservedWords(builtIn: BuiltInCommands): ReadonlySet<string> {
  const calls = Map.groupBy(builtIn, ([words]) => words.split(' ')[0] ?? '');
  const own = [...calls].filter(([, commands]) => commands.every(([, call]) => call === undefined));
  return new Set([...RESERVED, ...own.map(([word]) => word)]);
}

/** The words in the form that commands have; undefined for other texts. `transactions.refunds` is two words. */
function wordsOf(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const words = name
    .split(/[\s./]/)
    .map(kebab)
    .filter(Boolean)
    .join(' ');
  return WORDS.test(words) ? words : undefined;
}

/** An operation as built-in commands are compared: the names of parameters make no difference. */
export function callOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${shapeOf(path)}`;
}

/** The paths that end in a file suffix without it, where no other path differs only in that. */
function withoutSuffixes(paths: readonly string[]): ReadonlyMap<string, string> {
  const plain = paths.map((path) => [path, path.replace(SUFFIX, '')] as const);
  const same = Map.groupBy(plain, ([, short]) => shapeOf(short));
  return new Map(plain.filter(([path, short]) => path !== short && same.get(shapeOf(short))?.length === 1));
}

/** Whether the last segment of a shape is a parameter, so that it is one item of a collection. */
function isItem(shape: string): boolean {
  return shape.endsWith('/{}');
}

/** The collection that an item belongs to: its path without the parameters at the end. */
function collectionOf(shape: string): string {
  return shape.replace(/(?:\/\{\})+$/, '');
}

function shapeOf(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/$/, '');
}

/** `a b c` -> `a`, `a b`, `a b c`: the topics of a command, and itself. */
function beginnings(words: string): string[] {
  const all = words.split(' ');
  return all.map((_, index) => all.slice(0, index + 1).join(' '));
}
