import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerDescription } from '../descriptions/ledger-description.ts';
import type { Answer } from '../harness/http-server.ts';
import { serve } from '../harness/serve.ts';
import { folderForTest } from '../harness/temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

/** An entry of the ledger; `updated` is its `updated_at`. */
export const entry = (id: string | undefined, updated: string, members: object = {}) => ({
  ...(id !== undefined && { id }),
  sequence: 1,
  amount: 1,
  currency: 'EUR',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: updated,
  ...members,
});

type Entry = ReturnType<typeof entry>;

type Service = {
  /** The schemas of the parameters by time. */
  readonly times?: NonNullable<Parameters<typeof ledgerDescription>[0]>;
  readonly entries: readonly Entry[];
  readonly pageSize?: number;
  /** The entries that a query asks for; by default all. */
  readonly filter?: (query: URLSearchParams) => (one: Entry) => boolean;
};

/** What payctl runs with to copy lists of a service that a document describes. */
export function homeFor(origin: string, document: object) {
  const folder = folderForTest();
  const description = join(folder, 'openapi.json');
  const describeAs = (one: object) => writeFileSync(description, JSON.stringify(one));
  describeAs(document);
  const env = {
    PAYCTL_CONFIG_DIR: folder,
    PAYCTL_DESCRIPTION: description,
    PAYCTL_BASE_URL: origin,
    PAYCTL_TOKEN: 'token',
    PAYCTL_MAX_RETRIES: '0',
    NO_COLOR: '1',
  };
  return { folder, copy: join(folder, 'copy'), describeAs, env };
}

/** A service with ledger entries, in pages that are counted from 0, and runs of payctl that copy them. */
export async function serveLedger({ times, entries, pageSize = 2, filter = () => () => true }: Service) {
  const service = {
    entries: [...entries],
    encoding: 'utf8' as 'utf8' | 'latin1',
    /** Called before each response; what it returns is sent instead. */
    before: (_query: URLSearchParams): Answer | undefined => undefined,
  };
  const asked: URLSearchParams[] = [];
  const server = await serve((request, response) => {
    const query = new URL(request.url, 'http://service').searchParams;
    asked.push(query);
    const { status = 200, body } = service.before(query) ?? { body: page(query) };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(Buffer.from(JSON.stringify(body), service.encoding));
  });
  const page = (query: URLSearchParams) => {
    const from = Number(query.get('cursor') ?? 0);
    const found = service.entries.filter(filter(query));
    const next = from + pageSize < found.length ? String(from + pageSize) : null;
    return { items: found.slice(from, from + pageSize), next_cursor: next };
  };
  const { folder, copy, describeAs, env } = homeFor(server.origin, ledgerDescription(times));
  const run = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await runInProcess(words, { env });
    return { code, stdout, stderr: stderr.replaceAll(folder, '.') };
  };
  return Object.assign(service, {
    copy,
    /** The queries of all requests so far. */
    asked,
    describeAs,
    run,
    export: (...flags: readonly string[]) => run('export', 'ledger-entries', '--to', copy, ...flags),
    sync: (...flags: readonly string[]) => run('sync', '--to', copy, ...flags),
  });
}

/** The error that a service of the contract sends. */
export function refusal(status: number, code: string, message: string): Answer {
  return { status, body: { type: 'error', code, status, message, details: [] } };
}
