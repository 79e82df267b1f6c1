import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FORMATS, OUTPUT_FORMATS, type OutputName } from '../../src/output/formats.ts';
import { createListPage } from '../../src/output/list-page.ts';
import { createListWriter } from '../../src/output/list-writer.ts';
import { createSink, type Sink } from '../../src/output/streams.ts';
import { MemoryStream, memoryOutput, systemError } from './memory-stream.ts';
import { WHOLE_TABLE } from './print-list.ts';
import { buyerColumns, sampleBuyer, samplePage } from './sample-buyers.ts';

const moduleOf = (path: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../src/output/${path}`, import.meta.url)));

type Step = readonly [formats: readonly OutputName[], isTTY: boolean, packages: readonly string[]];

/** Writes a page in each of these formats, in one process, and reports after each step which packages were asked for until then. */
async function packagesLoadedFor(steps: readonly Step[]): Promise<string[][]> {
  const script = `
    const { registerHooks } = await import('node:module');
    const loaded = new Set();
    registerHooks({
      resolve(specifier, context, next) {
        if (/^[a-z]/.test(specifier) && context.parentURL?.includes('/src/output/') && !specifier.startsWith('node:')) loaded.add(specifier);
        return next(specifier, context);
      },
    });
    const { createListWriter } = await import(${moduleOf('list-writer.ts')});
    const { createListPage } = await import(${moduleOf('list-page.ts')});
    const { FORMATS } = await import(${moduleOf('formats.ts')});
    const { createSink } = await import(${moduleOf('streams.ts')});
    const { decideTerminal } = await import(${moduleOf('terminal.ts')});
    await import(${moduleOf('error-report.ts')});
    await import(${moduleOf('progress.ts')});
    await import(${moduleOf('document-writer.ts')});
    const columns = [{ header: 'ID', path: 'id' }];
    const found = [];
    for (const [formats, isTTY] of ${JSON.stringify(steps)}) {
      const terminal = decideTerminal({ isTTY, columns: 80, env: {}, noColorFlag: false });
      const stream = { isTTY, columns: 80, write: (text, done) => (done?.(), true), on() {} };
      for (const name of formats) {
        const writer = await createListWriter({ format: FORMATS[name], whole: false, columns, explicitColumns: false, header: true, stdout: createSink(stream), terminal, info() {} });
        await writer.page(createListPage('{"items":[{"id":"b1"}]}', [{ id: 'b1' }]));
        await writer.end({ nextCursor: null });
      }
      found.push([...loaded].sort());
    }
    process.stdout.write(JSON.stringify(found));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout) as string[][];
}

const writerOf = (format: OutputName, stdout: Sink) =>
  createListWriter({
    ...WHOLE_TABLE,
    format: FORMATS[format],
    columns: buyerColumns,
    stdout,
    terminal: memoryOutput().terminal,
  });

describe('createListWriter', () => {
  it('loads packages only for colours and for tables on a terminal', { tags: 'slow' }, async () => {
    const steps: readonly Step[] = [
      [['json', 'csv', 'table', 'yaml'], false, []],
      [['ndjson', 'markdown'], true, []],
      [['json'], true, ['chalk']],
      [['table'], true, ['chalk', 'cli-table3']],
    ];
    expect(await packagesLoadedFor(steps)).toEqual(steps.map(([, , packages]) => packages));
  });

  it.each(OUTPUT_FORMATS)('keeps the writer of %s waiting while stdout is full', async (format) => {
    const stream = new MemoryStream({ fullAfter: 1 });
    const stdout = createSink(stream, { bufferSize: 1 });
    const writer = await writerOf(format, stdout);
    let accepted = false;
    const writing = writer.page(samplePage([sampleBuyer(1)])).then(() => {
      accepted = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(accepted).toBe(false);
    stream.drain();
    await writing;
    await writer.end({ nextCursor: null });
    expect(stream.text.length).toBeGreaterThan(0);
  });

  it.each(OUTPUT_FORMATS)('ends quietly with %s when the reader has closed stdout', async (format) => {
    const stream = new MemoryStream();
    const stdout = createSink(stream, { bufferSize: 1 });
    const writer = await writerOf(format, stdout);
    stream.failWith = systemError('EPIPE');
    await writer.page(samplePage([sampleBuyer(1)]));
    await writer.page(samplePage([sampleBuyer(2)]));
    await writer.end({ nextCursor: null });
    expect(stdout.closed).toBe(true);
  });

  it('holds no pages in a pipe', { tags: 'slow' }, async () => {
    const held: (readonly [OutputName, WeakRef<object>])[] = [];
    const writers = [];
    for (const format of ['json', 'ndjson', 'csv', 'yaml', 'markdown', 'table'] as const) {
      const writer = await writerOf(format, memoryOutput().stdout);
      writers.push(writer);
      for (let number = 0; number < 50; number++) {
        const page = createListPage(JSON.stringify({ items: [sampleBuyer(number)] }), [sampleBuyer(number)]);
        held.push([format, new WeakRef(page)]);
        await writer.page(page);
      }
    }
    await collectGarbage();
    const alive = Map.groupBy(
      held.filter(([, page]) => page.deref() !== undefined),
      ([format]) => format,
    );
    for (const writer of writers) await writer.end({ nextCursor: null });
    for (const [format, pages] of alive) expect(pages.length, format).toBeLessThanOrEqual(2);
  });
});

async function collectGarbage(): Promise<void> {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collect();
  }
}
