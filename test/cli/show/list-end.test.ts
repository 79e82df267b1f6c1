import { describe, expect, it } from 'vitest';
import {
  type ListEnd,
  type ListRun,
  printEmptyList,
  printListIsCut,
} from '../../../src/cli/show/list-end.ts';
import { operations } from '../../../src/contract/generated/operations.ts';
import { fakeSession } from '../session/fake-session.ts';

const END: ListEnd = { noun: 'buyers', items: 20, cursor: 'abc' };
const RUN: ListRun = { operation: operations.listBuyers, argv: [], filters: {} };

async function cut(end: Partial<ListEnd> = {}, run: Partial<ListRun> = {}, columns?: number) {
  const { session, said } = fakeSession(columns === undefined ? {} : { columns });
  await printListIsCut(session.display, { ...END, ...end }, { ...RUN, ...run });
  return await said();
}

async function empty(end: Partial<ListEnd> = {}, run: Partial<ListRun> = {}) {
  const { session, said } = fakeSession();
  printEmptyList(session.display, { ...END, items: 0, cursor: null, ...end }, { ...RUN, ...run });
  return await said();
}

describe('a list that stops before its end', () => {
  it('ends with the complete next command', async () => {
    expect(await cut()).toBe(
      'There are more buyers after these 20. For all pages, add --all. Next page: payctl buyers list --cursor abc\n',
    );
  });

  it('keeps every argument, quoted for a shell, but the cursor', async () => {
    const argv = ['--search', "l'été $HOME", '--cursor', 'old', '--cursor=older', '-m', 'shop', '--limit=5'];
    expect(await cut({}, { argv })).toBe(
      "There are more buyers after these 20. For all pages, add --all. Next page: payctl buyers list --search 'l'\\''été $HOME' -m shop --limit=5 --cursor abc\n",
    );
    expect(await cut({ cursor: '-x; rm "$HOME"' })).toContain(`--cursor='-x; rm "$HOME"'`);
  });

  it('asks for all without the number that the run wanted', async () => {
    const run = {
      operation: operations.listApiLogs,
      argv: ['--max-items', '2', '--max-items=3', '--status', '401'],
    };
    expect(await cut({ noun: 'API error log entries', items: 2, cursor: undefined }, run)).toBe(
      'There are more API error log entries after these 2. All of them: payctl api-logs list --status 401 --all\n',
    );
  });

  it('repeats no flag of the run that it adds', async () => {
    const argv = ['--all', '-o', 'csv', '--output-file', 'a.csv', '--overwrite'];
    expect(await cut({ isInFile: true }, { argv })).toBe(
      'There are more buyers after these 20. All of them: payctl buyers list -o csv --output-file a.csv --all --overwrite\n',
    );
  });

  it('names no other way to a run that says how much it wants', async () => {
    expect(await cut({}, { argv: ['--max-items', '20'] })).toBe(
      'There are more buyers after these 20. Next page: payctl buyers list --max-items 20 --cursor abc\n',
    );
  });

  it('asks for everything where the command has no cursors, or there is none', async () => {
    const operation = operations.listApiLogs;
    expect(await cut({ items: 1, noun: 'logs' }, { operation, argv: ['--status', '401'] })).toBe(
      'There are more logs after this one. All of them: payctl api-logs list --status 401 --all\n',
    );
    expect(await cut({ items: 0, cursor: undefined })).toBe(
      'There are more buyers. All of them: payctl buyers list --all\n',
    );
  });

  it.each(['json', 'yaml', 'ndjson', 'csv', 'table'] as const)(
    'is a warning in every format, which only --quiet silences: %s',
    async (format) => {
      const say = async (quiet: boolean) => {
        const { session, said } = fakeSession({ format, quiet });
        await printListIsCut(session.display, END, RUN);
        return await said();
      };
      expect(await say(false)).toContain('Next page: payctl buyers list --cursor abc');
      expect(await say(true)).toBe('');
    },
  );
});

describe('an empty list', () => {
  it('is said to be one, with its filters', async () => {
    expect(await empty()).toBe('No buyers found.\n');
    expect(await empty({ cursor: 'more' })).toBe('No buyers on this page.\n');
    expect(await empty({}, { argv: ['--cursor', 'abc'] })).toBe('No buyers on this page.\n');
    const paged = { startFlag: 'page', argv: ['--page=99'], filters: { page: 99 } };
    expect(await empty({}, paged)).toBe('No buyers on this page.\n');
    const filters = { search: 'ada', 'external-identifier': 'x "y"' };
    expect(await empty({}, { filters })).toBe(
      'No buyers match --search "ada" --external-identifier "x \\"y\\"".\nThe service does this search. It may treat é and e as different letters, so type the accents.\n',
    );
    expect(await empty({ cursor: 'more' }, { filters: { status: 401 } })).toBe(
      'No buyers on this page that match --status "401".\n',
    );
  });

  it('names the flag for an identifier of your own where an ID is none of the service', async () => {
    const operation = operations.listPaymentMethods;
    expect(await empty({ noun: 'cards' }, { operation, filters: { 'buyer-id': 'buyer-000100' } })).toBe(
      'No cards match --buyer-id "buyer-000100".\n' +
        '"buyer-000100" is not an ID of the service, which is a UUID; for an identifier of your own, use --buyer-external-identifier.\n',
    );
    const uuid = 'b15ff7f7-99af-4486-9ba1-35063669c5aa';
    expect(await empty({ noun: 'cards' }, { operation, filters: { 'buyer-id': uuid } })).toBe(
      `No cards match --buyer-id "${uuid}".\n`,
    );
    const audit = { operation: operations.listAuditLogs, filters: { 'user-id': 'lea' } };
    expect(await empty({ noun: 'entries' }, audit)).toBe(
      'No entries match --user-id "lea".\n"lea" is not an ID of the service, which is a UUID.\n',
    );
  });
});
