import { type DescriptionInputs, descriptionInUse } from '../../cli/session/description-in-use.ts';
import type { WholeList } from '../../cli/show/list-end.ts';
import { itemColumns } from '../../contract/generated/item-columns.ts';
import type { Operation } from '../../contract/operation.ts';
import type { IndexedOperation } from '../../descriptions/imported-operation.ts';
import { columnsOfItems } from '../../descriptions/item-columns.ts';
import { commandsOf } from '../../descriptions/listing.ts';
import { readModel, readOperation } from '../../descriptions/read-store.ts';
import { pathBelow } from '../../descriptions/record-place.ts';
import { UsageError } from '../../errors.ts';
import { own } from '../../json/is-object.ts';
import { listValues, quote } from '../../text/format.ts';
import { suggest } from '../../text/suggest.ts';
import { ownOperations, type RunnableOperation } from './own-operations.ts';
import { listRunOf } from './send-and-show.ts';

/** A list that can be read without arguments, built in or imported. */
export type ListTarget = WholeList & { readonly operation: RunnableOperation };

/** A list by the words that name it, and why it cannot be read without arguments. */
export type NamedList = {
  readonly resource: string;
  readonly summary: string;
  readonly needs: readonly string[];
};

/** The lists that words can name. */
export class KnownLists {
  readonly #lists: ReadonlyMap<string, Known>;

  private constructor(lists: ReadonlyMap<string, Known>) {
    this.#lists = lists;
  }

  /** @throws UsageError as `descriptionInUse` */
  static async open(inputs: DescriptionInputs): Promise<KnownLists> {
    const lists = new Map<string, Known>();
    const imported = await descriptionInUse(inputs);
    if (imported) {
      const { folder, index } = imported;
      const models = readModel(folder, index);
      for (const [command, indexed] of commandsOf(index)) {
        if (indexed.method !== 'GET' || !isListOf(indexed, command)) continue;
        const { recordId = 'id', record } = models[index.operations.indexOf(indexed)] ?? {};
        lists.set(resourceOf(command), {
          operation: () => readOperation(folder, indexed),
          idPath: pathBelow(record?.item, recordId),
          description: index.hash,
          merchantHeader: index.merchantHeader,
          indexed,
        });
      }
    }
    // payctl's own commands come first, as they do when they are run.
    for (const operation of ownOperations()) {
      if (!isListOf(operation, operation.command)) continue;
      lists.set(resourceOf(operation.command), { operation: () => operation, indexed: operation });
    }
    return new KnownLists(lists);
  }

  /** All of them, by their names. */
  all(): readonly NamedList[] {
    const named = [...this.#lists].map(([resource, { indexed }]) => ({
      resource,
      summary: indexed.summary,
      needs: argumentsOf(indexed),
    }));
    return named.sort((one, other) => (one.resource < other.resource ? -1 : 1));
  }

  /**
   * The lists that words name one after the other; each takes as many words as it can. `advice` says what to do where there is no such list.
   * @throws UsageError `unknown_resource`; `resource_needs_arguments`
   */
  async find(words: readonly string[], advice?: string): Promise<readonly ListTarget[]> {
    const left = words.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '');
    const found = new Map<string, ListTarget>();
    while (left.length > 0) {
      const length =
        left.findLastIndex((_, index) => this.#lists.has(resourceOf(left.slice(0, index + 1).join(' ')))) + 1;
      if (length === 0) throw this.#unknown(left, advice);
      const resource = resourceOf(left.splice(0, length).join(' '));
      found.set(resource, await this.#open(resource));
    }
    return [...found.values()];
  }

  async #open(resource: string): Promise<ListTarget> {
    const known = this.#lists.get(resource);
    if (!known) throw this.#unknown([resource]);
    const operation = known.operation();
    const missing = argumentsOf(operation);
    if (missing.length > 0) {
      throw new UsageError(
        'resource_needs_arguments',
        `${quote(resource)} cannot be exported: its list needs ${listValues(missing)}`,
        {
          hint: 'List the resources that can be exported: payctl export --list',
        },
      );
    }
    return {
      resource,
      operation,
      columns: operation.isOwn ? (own(itemColumns, operation.id) ?? []) : columnsOfItems(operation),
      idPath: known.idPath ?? operation.envelope?.itemId ?? 'id',
      description: known.description,
      merchantHeader: known.merchantHeader,
      run: listRunOf(
        { operation, words: `${resource} list` },
        { argv: [], filters: {}, flags: {}, asked: { query: {} } },
      ),
    };
  }

  #unknown(words: readonly string[], advice?: string): UsageError {
    const typed = words[0] ?? '';
    const near = suggest(typed, this.#lists.keys());
    return new UsageError('unknown_resource', `There is no list ${quote(typed)}`, {
      hint:
        advice ??
        (near === undefined
          ? 'List the resources that can be exported: payctl export --list'
          : `Did you mean ${near}?`),
    });
  }
}

type Known = {
  readonly operation: () => RunnableOperation;
  readonly indexed: Pick<IndexedOperation, 'id' | 'summary' | 'arguments' | 'needs'> &
    Partial<Pick<Operation, 'query' | 'pathParameters'>>;
  readonly idPath?: string;
  readonly description?: string;
  readonly merchantHeader?: string | undefined;
};

function isListOf({ isList = false }: { readonly isList?: boolean }, command: string): boolean {
  return isList || command.endsWith(' list');
}

/** The command of a list without its verb. */
function resourceOf(command: string): string {
  return command.replace(/ list$/, '');
}

/** The lists of the contract with the records of one other record, and the filters that name it. */
const OWNERS: Readonly<Record<string, string>> = { listGiftCards: 'buyer_id or buyer_external_identifier' };

/** The arguments and flags without which a list cannot be read. */
function argumentsOf({
  id,
  query = {},
  pathParameters,
  arguments: names,
  needs = Object.keys(query).filter((name) => query[name]?.required),
}: Known['indexed']): readonly string[] {
  const owner = own(OWNERS, id);
  if (owner !== undefined) return [owner];
  return [...(pathParameters ?? names ?? []), ...needs];
}
