import { destinationOf, EMULATOR_ORIGIN } from '../../cli/session/destination.ts';
import { mayBeCursor } from '../../client/paging/cursor.ts';
import { isTokenScheme, sizeParameter, takesToken } from '../../contract/operation.ts';
import { timeFilterOf, timeMember } from '../../descriptions/time-filters.ts';
import { UsageError } from '../../errors.ts';
import { quote } from '../../text/format.ts';
import type { ListEntry } from './manifest.ts';
import { type ExportRun, entriesOf } from './run-export.ts';
import type { CopyTarget } from './target.ts';

/** The lists that a dlt program loads, and where it loads them from. */
export type DltRun = Pick<ExportRun, 'session' | 'version' | 'flags' | 'targets' | 'since'>;

/**
 * A Python program that loads lists with dlt: a configuration of its `rest_api` source, from the descriptions of the lists, and the
 * pipeline that runs it. It takes the credentials from the environment.
 * @throws UsageError `not_for_dlt` where dlt cannot send the credentials of a list, or cannot follow its pages; `no_address` for the
 * emulator of a single command; `same_table` where two lists would be loaded into one; as `destinationOf` and `entriesOf`
 */
export function dltProgram(run: DltRun): string {
  const { session, version, targets } = run;
  const { origin } = destinationOf(session.settings);
  if (origin === EMULATOR_ORIGIN) throw withoutAddress();
  const lists = targets.flatMap((target) => entriesOf(target, run).map((entry) => ({ target, entry })));
  const accounts = new Set(lists.map(({ entry }) => entry.merchant_account ?? undefined));
  accounts.delete(undefined);
  const naming = {
    merchantHeader: session.settings.merchantHeader.value,
    namesAccount: accounts.size > 1,
  };
  requireOwnTables(
    lists.map(({ entry }) => entry),
    naming,
  );
  const resources = lists.map(({ target, entry }) => resourceOf(target, entry, naming));
  return `"""Loads ${targets.map(({ resource }) => resource).join(', ')} with dlt. Made by payctl ${version}.

dlt stores personal data and secrets as the service sends them, and does not find out which records are gone.
"""

import os

import dlt
from dlt.sources.rest_api import rest_api_source

config = ${python({ client: { base_url: origin }, resources })}

if __name__ == "__main__":
    pipeline = dlt.pipeline("payctl", destination="duckdb", dataset_name="lists")
    print(pipeline.run(rest_api_source(config)))
`;
}

function withoutAddress(): UsageError {
  return new UsageError('no_address', 'The emulator of the profile emulator has no fixed address', {
    hint: 'Set PAYCTL_BASE_URL to the address that this prints: payctl emulator start',
  });
}

/** dlt does not distinguish upper and lower case. @throws UsageError `same_table` */
function requireOwnTables(entries: readonly ListEntry[], naming: Naming): void {
  const owners = new Map<string, ListEntry>();
  for (const entry of entries) {
    const table = tableOf(entry, naming);
    const other = owners.get(table.toLowerCase());
    owners.set(table.toLowerCase(), entry);
    if (!other) continue;
    const names = [other, entry].map(({ resource, merchant_account: account }) =>
      quote(other.resource === entry.resource && account !== null ? account : resource),
    );
    throw new UsageError('same_table', `${names.join(' and ')} would have the same table, ${table}`, {
      hint: 'Print a program for each of them.',
    });
  }
}

/** The table of a list, which is named as its resource in dlt. */
function tableOf({ resource, merchant_account: account }: ListEntry, { namesAccount }: Naming): string {
  const name = namesAccount && account !== null ? `${resource}_${account}` : resource;
  return name.replaceAll(/\W/g, '_');
}

type Naming = { readonly merchantHeader: string; readonly namesAccount: boolean };

function resourceOf(target: CopyTarget, entry: ListEntry, naming: Naming): Python {
  const { operation } = target;
  const { merchant_account: account, id_path: id, request } = entry;
  const { envelope, listShape } = operation;
  const size = sizeParameter(operation);
  const largest = size === undefined ? undefined : operation.query[size]?.maximum;
  const params = {
    ...(size !== undefined && largest !== undefined && { [size]: largest }),
    ...request.query,
  };
  const auth = authOf(target);
  const incremental = incrementalOf(target);
  return {
    name: tableOf(entry, naming),
    primary_key: id.replaceAll('.', '__'),
    write_disposition: 'merge',
    endpoint: {
      path: request.path.replace(/^\//, ''),
      ...(account !== null && { headers: { [naming.merchantHeader]: account } }),
      ...(auth && { auth }),
      ...(Object.keys(params).length > 0 && { params }),
      data_selector: listShape === 'array' ? '$' : (envelope?.items ?? 'items'),
      paginator: paginatorOf(target, largest),
      ...(incremental && { incremental }),
    },
  };
}

/** The credentials of a list, from the variables that payctl takes them from. */
function authOf({ operation, resource }: CopyTarget): Python | undefined {
  const { security } = operation;
  if (takesToken(operation)) return { type: 'bearer', token: new Variable('PAYCTL_TOKEN') };
  if (security?.length === 0) return undefined;
  for (const schemes of security ?? []) {
    const [scheme] = schemes;
    if (scheme?.type === 'apiKey' && schemes.length === 1 && !isTokenScheme(scheme))
      return {
        type: 'api_key',
        name: scheme.name,
        location: scheme.in,
        api_key: new Variable('PAYCTL_API_KEY'),
      };
  }
  throw notForDlt(resource, 'its credentials are neither a token nor one API key');
}

/** How dlt follows the pages of a list, as `describedPaging` does. */
function paginatorOf({ operation, resource }: CopyTarget, largest: number | undefined): Python {
  const { paginated, envelope, paging, listShape } = operation;
  const items = listShape === 'array' ? '$' : (envelope?.items ?? 'items');
  if (paginated || mayBeCursor(operation)) {
    const { nextCursor, hasMore, itemId = 'id', cursorParameter = 'cursor' } = envelope ?? {};
    if (envelope?.isLast !== undefined) throw notForDlt(resource, 'its pages say only which one is the last');
    const isAfterItem = hasMore !== undefined && nextCursor === undefined;
    return {
      type: 'cursor',
      cursor_path: isAfterItem ? `${items}[-1].${itemId}` : (nextCursor ?? 'next_cursor'),
      cursor_param: cursorParameter,
      ...(hasMore !== undefined && { has_more_path: hasMore }),
    };
  }
  if (listShape === undefined) return { type: 'single_page' };
  const { counted, header, members } = paging ?? {};
  if (header) return { type: 'header_cursor', cursor_key: header.name, cursor_param: header.parameter };
  if (counted?.counts === 'pages') {
    return {
      type: 'page_number',
      page_param: counted.parameter,
      base_page: counted.first ?? 1,
      total_path: null,
    };
  }
  if (counted?.counts === 'ids') {
    const { parameter, before, itemId = 'id' } = counted;
    if (before !== undefined)
      throw notForDlt(resource, 'the order of its IDs decides whether the next page is after or before them');
    return { type: 'cursor', cursor_path: `${items}[-1].${itemId}`, cursor_param: parameter };
  }
  if (counted) {
    // dlt adds the size that it asked for to the offset, also where the service sent fewer items.
    if (counted.size === undefined || largest === undefined)
      throw notForDlt(resource, 'the description does not say how many items a page has at most');
    const { parameter, size, first = 0 } = counted;
    return {
      type: 'offset',
      offset_param: parameter,
      offset: first,
      limit_param: size,
      limit: largest,
      total_path: null,
    };
  }
  const [next] = members?.next ?? [];
  // Without a Link header dlt ends after the first page.
  return next ? { type: 'json_link', next_url_path: next.join('.') } : { type: 'header_link' };
}

/** How dlt asks for changes only; undefined where it reads the whole list. */
function incrementalOf({ operation, columns }: CopyTarget): Python | undefined {
  const filter = timeFilterOf(operation, 'updated');
  const times = columns.filter(({ type }) => type === 'timestamp').map(({ name }) => name);
  const time = timeMember(times, 'updated');
  if (filter?.format !== 'date-time' || time === undefined) return undefined;
  return {
    cursor_path: time,
    start_param: filter.parameter,
    initial_value: '1970-01-01T00:00:00Z',
    lag: OVERLAP_SECONDS,
    on_cursor_value_missing: 'include',
  };
}

/** As `--overlap` of a sync. */
const OVERLAP_SECONDS = 600;

function notForDlt(resource: string, reason: string): UsageError {
  return new UsageError('not_for_dlt', `dlt cannot read the list ${quote(resource)}: ${reason}`, {
    hint: 'Export it with payctl, and load the copy.',
  });
}

/** A value of a Python program. */
type Python = string | number | null | Variable | readonly Python[] | { readonly [name: string]: Python };

/** The value of an environment variable. */
class Variable {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value as Python writes it. Texts are written as in JSON, which Python reads alike. */
function python(value: Python, margin = ''): string {
  if (value === null) return 'None';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof Variable) return `os.environ[${JSON.stringify(value.name)}]`;
  const inner = `${margin}    `;
  if (Array.isArray(value)) {
    return `[\n${value.map((one: Python) => `${inner}${python(one, inner)},\n`).join('')}${margin}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${python(member, inner)},\n`,
  );
  return `{\n${members.join('')}${margin}}`;
}
