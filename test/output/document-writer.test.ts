import { describe, expect, it } from 'vitest';
import { writeDocument } from '../../src/output/document-writer.ts';
import type { DocumentWriterOptions } from '../../src/output/format.ts';
import { FORMATS } from '../../src/output/formats.ts';
import { memoryOutput } from './memory-stream.ts';

const text =
  '{"id": "s1", "amount":12345678901234567890,"rate":1.10,"metadata":{"order.id":"a\\tb"},"cart_items":[{"name":"\u202ETea"}],"none":{}}';

async function print(
  { shown = text, ...options }: Partial<DocumentWriterOptions> & { readonly shown?: string },
  width?: number,
): Promise<string> {
  const { stream, stdout, terminal } = memoryOutput(width);
  await writeDocument(shown, {
    format: FORMATS.table,
    columns: [],
    explicitColumns: false,
    header: true,
    stdout,
    terminal,
    info: () => {},
    ...options,
  });
  return stream.text;
}

const columns = [
  { header: 'ID', path: 'id' },
  { header: 'ORDER', path: 'metadata.order.id' },
];

describe('writeDocument', () => {
  it('writes json as it came, escaped', async () => {
    expect(await print({ format: FORMATS.json })).toBe(`${text.replace('\u202E', '\\u202e')}\n`);
  });

  it('lays json out on a terminal', async () => {
    expect(await print({ format: FORMATS.json, columns, explicitColumns: true }, 80)).toBe(
      '{\n  "id": "s1",\n  "metadata.order.id": "a\\tb"\n}\n',
    );
  });

  it('writes ndjson on one line', async () => {
    expect(await print({ format: FORMATS.ndjson })).toBe(
      '{"id":"s1","amount":12345678901234567890,"rate":1.10,"metadata":{"order.id":"a\\tb"},"cart_items":[{"name":"\\u202eTea"}],"none":{}}\n',
    );
  });

  it('writes yaml with all digits', async () => {
    expect(await print({ format: FORMATS.yaml })).toBe(
      'id: s1\namount: 12345678901234567890\nrate: 1.10\nmetadata:\n  order.id: "a\\tb"\ncart_items:\n- name: "\\u202ETea"\nnone: {}\n',
    );
  });

  it('writes csv as a header and one record', async () => {
    expect(await print({ format: FORMATS.csv, columns })).toBe('id,metadata.order.id\r\ns1,"a\tb"\r\n');
  });

  it('writes a table in a pipe as lines of path and value', async () => {
    expect(await print({})).toBe(
      'id\ts1\namount\t12345678901234567890\nrate\t1.10\nmetadata.order.id\ta␉b\ncart_items.0.name\t<U+202E>Tea\nnone\t{}\n',
    );
  });

  it('writes no line for an empty document', async () => {
    for (const shown of ['{}', '[]']) {
      expect(await print({ shown })).toBe('');
      expect(await print({ shown }, 80)).toBe('');
    }
  });

  it('writes a table on a terminal as a detail view, reduced to chosen columns', async () => {
    expect(await print({ columns, explicitColumns: true }, 80)).toBe(
      'id                 s1\nmetadata.order.id  a␉b\n',
    );
  });

  it('filters with jq instead', async () => {
    const { createJq } = await import('../../src/output/formats/jq.ts');
    expect(await print({ format: FORMATS.json, jq: await createJq('.amount, .metadata["order.id"]') })).toBe(
      '12345678901234567890\na\tb\n',
    );
  });
});
