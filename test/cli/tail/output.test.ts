import { describe, expect, it } from 'vitest';
import { DataMasker } from '../../../src/cli/secrets/mask.ts';
import type { NewEntry } from '../../../src/cli/tail/marks.ts';
import { openTailOutput, TailOutput } from '../../../src/cli/tail/output.ts';
import { OutputError, PayctlError } from '../../../src/errors.ts';
import { LOG_COLUMNS } from '../../../src/features/api-logs/columns.ts';
import type { Column } from '../../../src/output/columns.ts';
import { FORMATS, type OutputName } from '../../../src/output/formats.ts';
import type { ListWriter } from '../../../src/output/list-page.ts';
import { fakeSession } from '../session/fake-session.ts';

const COLUMNS: readonly Column[] = [
  { header: 'ID', path: 'id', cell: (row) => String((row as { id: unknown }).id) },
  { header: 'NOTE', path: 'note', cell: (row) => String((row as { note: unknown }).note) },
  { header: 'SAME', path: 'same', onlyIfVaried: true },
];
const source = { list: 'listApiLogs', columns: COLUMNS, marked: 'NOTE' } as const;

function entry(id: string, isLate = false): NewEntry {
  const item = { id, note: 'n', same: 's' };
  return { id, time: undefined, item, text: JSON.stringify(item), isLate, isBehind: false };
}

type Opened = { readonly format?: OutputName; readonly hasEnd?: boolean; readonly jq?: string | undefined };

async function open({ format = 'ndjson', hasEnd = false, jq }: Opened = {}) {
  const { session, stdout, said } = fakeSession({ format });
  const chosen = { ...session, display: { ...session.display, isFormatChosen: jq === undefined } };
  const output = await openTailOutput(chosen, source, { flags: { jq }, hasEnd });
  return { output, stdout, said };
}

/** What is printed in a format for these entries, to the end. */
async function print(format: OutputName, entries: readonly NewEntry[], isAfterGap = false): Promise<string> {
  const { output, stdout } = await open({ format, hasEnd: true });
  await output.print(entries, isAfterGap, () => {});
  await output.end();
  return stdout.text;
}

/** An output to a writer whose end fails. */
function failing(failure: Error): TailOutput {
  const writer: ListWriter = { page: async () => {}, end: () => Promise.reject(failure) };
  const masker = new DataMasker({ warn: () => {} }, {}, {});
  return new TailOutput({ writer, masker, marks: new WeakMap(), perPage: 1, isDocument: false });
}

describe('the output of a tail', () => {
  it('is one line per entry in ndjson', async () => {
    expect(await print('ndjson', [entry('a'), entry('b', true)], true)).toBe(
      '{"id":"a","note":"n","same":"s"}\n{"id":"b","note":"n","same":"s"}\n',
    );
  });

  it('marks late entries and the first one after a gap in tables', async () => {
    const entries = [entry('a', true), entry('b', true), entry('c')];
    expect(await print('table', entries, true)).toBe('ID\tNOTE\na\t[gap] n\nb\t[late] n\nc\tn\n');
    expect(await print('table', entries)).toBe('ID\tNOTE\na\t[late] n\nb\t[late] n\nc\tn\n');
  });

  it('colours the marks yellow, and other cells as their column does', async () => {
    const { session, stdout } = fakeSession({ columns: 80 });
    const stdoutTerminal = { ...session.display.stdoutTerminal, color: true };
    const colored = { ...session, display: { ...session.display, stdoutTerminal } };
    const red = { header: 'NOTE', path: 'note', cell: () => 'red', tone: () => 'red' as const };
    const plain = { header: 'NOTE', path: 'note', cell: () => 'plain' };
    for (const column of [red, plain]) {
      const some = { ...source, columns: [column] };
      const output = await openTailOutput(colored, some, { flags: {}, hasEnd: false });
      await output.print([entry('a', true), entry('b')], false, () => {});
    }
    const rows = stdout.text.split('\n').filter((line) => !line.includes('NOTE'));
    expect(rows).toEqual([
      '\u001B[33m[late] red\u001B[39m',
      '\u001B[31mred\u001B[39m',
      '\u001B[33m[late] plain\u001B[39m',
      'plain',
      '',
    ]);
  });

  it('appears on a terminal entry by entry, before the run ends', async () => {
    const { session, stdout } = fakeSession({ columns: 80 });
    const output = await openTailOutput(session, source, { flags: {}, hasEnd: false });
    await output.print([entry('a')], false, () => {});
    // The width of IDs, since later ones can be longer.
    const row = (id: string, note: string) => `${id.padEnd(38)}${note}\n`;
    expect(stdout.text).toBe(row('ID', 'NOTE') + row('a', 'n'));
    await output.print([entry('b', true)], false, () => {});
    expect(stdout.text).toBe(row('ID', 'NOTE') + row('a', 'n') + row('b', '[late] n'));
  });

  it('has the seconds of times on a terminal of 120 columns', async () => {
    const { session, stdout } = fakeSession({ columns: 120 });
    const logs = { list: 'listApiLogs', columns: LOG_COLUMNS, marked: 'WHY' } as const;
    const output = await openTailOutput(session, logs, { flags: {}, hasEnd: false });
    const item = {
      id: '0a1b2c3d-0000-4000-8000-000000000000',
      request_received_at: '2026-03-01T10:00:01Z',
      request_method: 'GET',
      request_url: 'https://api.example.com/payment-service-definitions/x/sessions/y/of/z',
      response_status_code: 500,
      response_body: { message: 'word '.repeat(40) },
    };
    const text = JSON.stringify(item);
    const logged = { id: item.id, time: undefined, item, text, isLate: false, isBehind: false };
    await output.print([logged], false, () => {});
    expect(stdout.text).toContain('\n2026-03-01 10:00:01Z ');
    expect(Math.max(...stdout.text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it('has no mark for an entry that is no object', async () => {
    const some = { ...entry('a'), item: null, text: 'null' };
    expect(await print('ndjson', [some], true)).toBe('null\n');
  });

  it('marks no second entry as the first one after a gap', async () => {
    const { output, stdout } = await open({ format: 'table' });
    await output.print([entry('a'), entry('b')], true, () => {});
    await output.print([entry('c'), entry('d')], false, () => {});
    await output.end();
    expect(stdout.text).toBe('ID\tNOTE\na\t[gap] n\nb\tn\nc\tn\nd\tn\n');
  });

  it('has the columns that come and go with their data only in the wide view', async () => {
    const { session, stdout } = fakeSession();
    const display = { ...session.display, format: FORMATS.wide };
    const output = await openTailOutput({ ...session, display }, source, { flags: {}, hasEnd: false });
    await output.print([entry('a')], false, () => {});
    await output.end();
    expect(stdout.text).toBe('ID\tNOTE\tSAME\na\tn\ts\n');
  });

  it('begins with the header in CSV, which tells a run without entries from none', async () => {
    expect(await print('csv', [])).toBe('id,note\r\n');
    expect(await print('csv', [entry('a', true)])).toBe('id,note\r\na,n\r\n');
    expect(await print('table', [])).toBe('');
  });

  it('is one document in JSON and YAML', async () => {
    expect(JSON.parse(await print('json', [])).items).toEqual([]);
    expect(JSON.parse(await print('json', [entry('a'), entry('b')])).items).toEqual([
      { id: 'a', note: 'n', same: 's' },
      { id: 'b', note: 'n', same: 's' },
    ]);
    expect(await print('yaml', [])).toContain('items: []');
  });

  it.each(['json', 'yaml'] as const)('is refused in %s where the run has no end', async (format) => {
    await expect(open({ format })).rejects.toMatchObject({
      code: 'endless_document',
      message: `-o ${format} writes a single document, which would never be complete`,
      hint: 'Use -o ndjson, or end the run with --for, --max-items or --until-match.',
    });
  });

  it.each([
    ['ndjson', true],
    ['csv', true],
    ['table', true],
    ['json', false],
    ['yaml', false],
  ] as const)('is of use in pieces in %s: %s', async (format, isUseful) => {
    const { output } = await open({ format, hasEnd: true });
    expect(output.inPieces).toBe(isUseful);
  });

  it('is told piece by piece, of ten thousand entries or of one with --jq', async () => {
    const countsOf = async (count: number, jq?: string) => {
      const { output } = await open({ jq, format: jq === undefined ? 'ndjson' : 'table' });
      const counts: number[] = [];
      await output.print(Array(count).fill(entry('a')), false, (some) => counts.push(some.length));
      return counts;
    };
    expect(await countsOf(0)).toEqual([]);
    expect(await countsOf(10_000)).toEqual([10_000]);
    expect(await countsOf(10_001)).toEqual([10_000, 1]);
    expect(await countsOf(3, '.id')).toEqual([1, 1, 1]);
  });

  it('is lines with --jq where nobody chose a format, so that they come at once', async () => {
    const { output, stdout } = await open({ format: 'table', jq: '{id}' });
    await output.print([entry('a'), entry('b')], false, () => {});
    await output.end();
    expect(stdout.text).toBe('{"id":"a"}\n{"id":"b"}\n');
  });

  it('masks personal data, and says so at the end', async () => {
    const item = { id: 'a', billing_details: { first_name: 'Ada' }, note: 'n' };
    const some = { ...entry('a'), item, text: JSON.stringify(item) };
    const printed = async (flags: { readonly 'reveal-pii'?: boolean }) => {
      const { session, stdout, said } = fakeSession({ format: 'ndjson' });
      const buyers = { ...source, list: 'listBuyers' } as const;
      const output = await openTailOutput(session, buyers, { flags, hasEnd: false });
      await output.print([some], false, () => {});
      await output.end();
      return [stdout.text, await said()];
    };
    expect(await printed({})).toEqual([
      '{"id":"a","billing_details":{"first_name":"********"},"note":"n"}\n',
      '{"warning":{"code":"personal_data_masked","message":"Personal data is masked. Add --reveal-pii to show it."}}\n',
    ]);
    expect(await printed({ 'reveal-pii': true })).toEqual([`${some.text}\n`, '']);
  });
});

describe('the end of the output', () => {
  const outputError = new OutputError('jq_failed', 'jq failed');
  const apiError = new PayctlError('refused', 'no');

  it('fails where the last of it cannot be written', async () => {
    await expect(failing(outputError).end()).rejects.toBe(outputError);
    await expect(failing(outputError).end(new Error('a bug'))).rejects.toBe(outputError);
  });

  it('does not hide the error that ended the run', async () => {
    await expect(failing(outputError).end(apiError)).resolves.toBeUndefined();
  });

  it('fails with an error that is not of the output', async () => {
    const bug = new Error('a bug');
    await expect(failing(bug).end(apiError)).rejects.toBe(bug);
  });
});
