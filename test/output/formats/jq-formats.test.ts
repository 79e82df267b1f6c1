import { describe, expect, it } from 'vitest';
import { createJq } from '../../../src/output/formats/jq.ts';
import { type JqOutputOptions, writeOutcome } from '../../../src/output/formats/jq-results.ts';
import { FORMATS } from '../../../src/output/formats.ts';
import { memoryOutput } from '../memory-stream.ts';

const DATA = JSON.stringify({
  items: [
    { id: 'b1', name: 'Ada', n: 1 },
    { id: 'b2', city: '=SUM(A1)', tags: [] },
  ],
}).replace('"n":1', '"n":12345678901234567890');

async function print(expression: string, options: Partial<JqOutputOptions> = {}, width?: number) {
  const { stream, stdout, terminal } = memoryOutput(width);
  const outcome = await (await createJq(expression)).run(DATA);
  await writeOutcome(outcome, {
    format: FORMATS.csv,
    header: true,
    stdout,
    terminal,
    info: () => {},
    ...options,
  });
  await stdout.end();
  return stream.text;
}

describe('results of jq as csv', () => {
  it('has a row for each object, with the members of all in the order of their appearance', async () => {
    const rows = "b1,Ada,12345678901234567890,,\r\nb2,,,'=SUM(A1),[]\r\n";
    expect(await print('.items[]')).toBe(`id,name,n,city,tags\r\n${rows}`);
    expect(await print('.items')).toBe(`id,name,n,city,tags\r\n${rows}`);
    expect(await print('.items[]', { header: false })).toBe(rows);
  });

  it('has a row without a header for what has no names', async () => {
    expect(await print('.items[].id')).toBe('b1\r\nb2\r\n');
    expect(await print('.items[] | [.id, .name]')).toBe('b1,Ada\r\nb2,\r\n');
    expect(await print('.items | length')).toBe('2\r\n');
  });

  it('prints nothing where there is nothing', async () => {
    expect(await print('empty')).toBe('');
    expect(await print('{}')).toBe('');
  });

  it('takes names of members for what they are', async () => {
    expect(await print('{"a.b": 1, "__proto__": 2, "constructor": 3}')).toBe(
      'a.b,__proto__,constructor\r\n1,2,3\r\n',
    );
  });
});

describe('results of jq in other formats', () => {
  it('are tab-separated as a table in a pipe, and aligned on a terminal', async () => {
    expect(await print('.items[] | {id, name}', { format: FORMATS.table })).toBe('ID\tNAME\nb1\tAda\nb2\t\n');
    expect(await print('.items[] | {id, name}', { format: FORMATS.table }, 80)).toBe(
      'ID  NAME\nb1  Ada\nb2\n',
    );
    expect(await print('.items[].id', { format: FORMATS.table }, 80)).toBe('b1\nb2\n');
  });

  it('fit a table to the terminal, with a word on the columns that are left out', async () => {
    const notes: string[] = [];
    const info = (note: string) => void notes.push(note);
    const wide = '.items[] | {id, one: ("1" * 30), two: ("2" * 30), three_id: ("3" * 30)}';
    const text = await print(wide, { format: FORMATS.table, info }, 40);
    expect(text.split('\n').every((line) => line.length <= 40)).toBe(true);
    expect(text).toContain('b1');
    expect(notes).toEqual(['+1 column (THREE ID): -o wide']);
    const whole = await print(wide, { format: FORMATS.wide, info }, 120);
    expect(whole).toContain('3'.repeat(30));
    expect(notes).toHaveLength(1);
  });

  it('are blocks as detail', async () => {
    expect(await print('.items[] | {id}', { format: FORMATS.detail })).toBe('id  b1\n\nid  b2\n');
  });

  it('are documents as yaml', async () => {
    expect(await print('.items[] | {id}', { format: FORMATS.yaml })).toBe('id: b1\n---\nid: b2\n');
    expect(await print('.items[0].n', { format: FORMATS.yaml })).toBe('12345678901234567890\n');
  });

  it('are a document a line as ndjson, strings in quotation marks', async () => {
    expect(await print('.items[0] | .id, .n, .city', { format: FORMATS.ndjson })).toBe(
      '"b1"\n12345678901234567890\nnull\n',
    );
  });

  it('are laid out over lines as json on a terminal, and strings as they are', async () => {
    const json = '{\n  "id": "b1"\n}\nb1\n';
    expect(await print('.items[0] | {id}, .id', { format: FORMATS.json }, 80)).toBe(json);
    expect(await print('.items[0] | {id}, .id', { format: FORMATS.json })).toBe('{"id":"b1"}\nb1\n');
  });

  it('are coloured as json on a terminal with colour', async () => {
    const { terminal } = memoryOutput(80);
    const text = await print(
      '.items[0] | {id}',
      { format: FORMATS.json, terminal: { ...terminal, color: true } },
      80,
    );
    expect(text).toContain('\u001B[1m"id"\u001B[22m: \u001B[32m"b1"\u001B[39m');
  });
});
