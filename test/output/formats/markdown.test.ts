import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeDocument } from '../../../src/output/document-writer.ts';
import type { ListWriterOptions } from '../../../src/output/format.ts';
import { createJq } from '../../../src/output/formats/jq.ts';
import { FORMATS } from '../../../src/output/formats.ts';
import { createListWriter } from '../../../src/output/list-writer.ts';
import { sanitizeText } from '../../../src/output/sanitize.ts';
import { anyText } from '../../harness/any-text.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { memoryOutput } from '../memory-stream.ts';
import { samplePage } from '../sample-buyers.ts';

const columns = [
  { header: 'ID', path: 'id' },
  { header: 'NAME', path: 'name' },
];

function openOutput() {
  const { stream, stdout, terminal } = memoryOutput();
  const common = { format: FORMATS.markdown, columns, explicitColumns: false, header: true };
  return { stream, options: { ...common, stdout, terminal, info: () => {} } };
}

async function print(
  pages: readonly (readonly unknown[])[],
  changes: Partial<ListWriterOptions> = {},
): Promise<string> {
  const { stream, options } = openOutput();
  const writer = await createListWriter({ ...options, whole: true, ...changes });
  for (const items of pages) await writer.page(samplePage(items));
  await writer.end({ nextCursor: null });
  return stream.text;
}

async function printDocument(text: string, changes: Partial<ListWriterOptions> = {}): Promise<string> {
  const { stream, options } = openOutput();
  await writeDocument(text, { ...options, ...changes });
  return stream.text;
}

/** Reads one row as GitHub does, and fails on any character that would be markup. */
function readRow(line: string): string[] {
  const inner = /^\|(.*)\|$/.exec(line)?.[1] ?? expect.fail(`not a row: ${line}`);
  const cells = inner.match(/(?:\\.|[^|\\])+/gsu) ?? [];
  return cells.map((cell) => readCell(cell.replace(/^ +| +$/g, '')));
}

function readCell(cell: string): string {
  if (/^\*+$/.test(cell)) return cell;
  return [...cell.matchAll(/\\[!-/:-@[-`{-~]|<br>|&#92;|./gsu)]
    .map(([token]) => (/^[\\`*[\]<&~$]$/.test(token) ? expect.fail(`markup in ${cell}`) : textOf(token)))
    .join('');
}

function textOf(token: string): string {
  if (token === '<br>') return '\n';
  if (token === '&#92;') return '\\';
  return token.startsWith('\\') ? token.slice(1) : token;
}

function shownOf(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');
  return lines
    .map(sanitizeText)
    .join('\n')
    .replace(/^ +| +$/g, '');
}

describe('markdown', () => {
  it('is one table over all pages, with numbers to the right', async () => {
    const counted = [...columns, { header: 'COUNT', path: 'count', format: 'number' as const }];
    const pages = [[{ id: 'b1', name: 'Ada', count: 1 }], [{ id: 'b2', name: null, count: 2 }]];
    expect(await print(pages, { columns: counted })).toBe(
      '| ID | NAME | COUNT |\n| --- | --- | ---: |\n| b1 | Ada | 1 |\n| b2 |  | 2 |\n',
    );
  });

  it('is its header alone for an empty list, and nothing without header or page', async () => {
    expect(await print([[]])).toBe('| ID | NAME |\n| --- | --- |\n');
    expect(await print([[]], { header: false })).toBe('');
    expect(await print([])).toBe('');
  });

  it('shows cells as a table does', async () => {
    const cell = () => 'GBP 1.00';
    expect(await print([[{}]], { columns: [{ header: 'A', path: 'a', cell }], header: false })).toBe(
      '| GBP 1.00 |\n',
    );
  });

  it.each([
    ['a|b', 'a\\|b'],
    ['a\\', 'a&#92;'],
    ['a\\|b', 'a&#92;\\|b'],
    ['`a`', '\\`a\\`'],
    ['<b>&amp;', '\\<b\\>\\&amp;'],
    ['![x](y)', '!\\[x\\](y)'],
    ['*a* _b_ __c__ ~d~', '\\*a\\* \\_b\\_ \\_\\_c\\_\\_ \\~d\\~'],
    ['card_declined', 'card_declined'],
    ['$1 and $2', '\\$1 and \\$2'],
    ['a\nb\r\nc\rd', 'a<br>b<br>c<br>d'],
    ['a\tb\u001b[2J', 'a␉b␛\\[2J'],
    ['a\u202eb', 'a\\<U+202E\\>b'],
    ['********', '********'],
    ['a ** b', 'a \\*\\* b'],
  ])('writes %j as %j', async (name, cell) => {
    expect(await print([[{ id: 'b1', name }]], { header: false })).toBe(`| b1 | ${cell} |\n`);
  });

  it('keeps any text in its cell, in lists, in their headers and in documents', async () => {
    const markup = fc.constantFrom(
      '|',
      '\\',
      '`',
      '<br>',
      '<',
      '&#124;',
      '*',
      '_',
      'a',
      '\r',
      '\n',
      ' ',
      '-',
    );
    const text = fc.oneof(
      anyText(),
      fc.array(markup).map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), text, async (names, header) => {
        const list = await print([names.map((name, id) => ({ id, name }))], {
          columns: [columns[0], { header, path: 'name' }].filter((column) => column !== undefined),
        });
        const [head = '', , ...rows] = list.trimEnd().split('\n');
        expect(readRow(head)).toEqual(['ID', shownOf(header)]);
        expect(rows.map(readRow)).toEqual(names.map((name, id) => [String(id), shownOf(name)]));
        const document = await printDocument(JSON.stringify({ [`a${header}`]: names[0] }), { header: false });
        expect(document.trimEnd().split('\n').map(readRow)).toEqual([
          [shownOf(`a${header}`), shownOf(names[0] ?? '')],
        ]);
      }),
      propertyRuns(300),
    );
  });

  it('is a table of paths and values for a document', async () => {
    const text = '{"id":"b1","tags":[],"address":{"line_1":"a|b","amount":12345678901234567890}}';
    expect(await printDocument(text)).toBe(
      '| FIELD | VALUE |\n| --- | --- |\n| id | b1 |\n| tags | \\[\\] |\n| address.line_1 | a\\|b |\n| address.amount | 12345678901234567890 |\n',
    );
    expect(await printDocument(text, { explicitColumns: true, header: false })).toBe(
      '| id | b1 |\n| name |  |\n',
    );
  });

  it('has a row for each object that jq gives', async () => {
    const jq = await createJq('.items[] | {id}');
    expect(await print([[{ id: 'a|b' }, { id: 'c' }]], { jq })).toBe('| ID |\n| --- |\n| a\\|b |\n| c |\n');
  });
});
