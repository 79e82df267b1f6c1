import { openRows } from '../../../src/features/bulk/table/read-rows.ts';

/** Reads rows from standard input that arrives in parts of these lengths, in bytes, in a buffer that is used again. */
export async function rowsOf(
  input: string | Buffer,
  { cuts = [], ignored = [] }: { cuts?: readonly number[]; ignored?: readonly string[] } = {},
) {
  const bytes = Buffer.from(input);
  async function* stdin(): AsyncGenerator<Uint8Array, void, undefined> {
    const buffer = Buffer.alloc(bytes.length);
    let from = 0;
    for (const length of [...cuts, bytes.length]) {
      const end = Math.min(from + length, bytes.length);
      yield buffer.subarray(0, bytes.copy(buffer, 0, from, end));
      buffer.fill('"');
      from = end;
    }
  }
  const { signal } = new AbortController();
  const source = await openRows('-', { stdin, signal, ignored });
  // A batch is valid until the next one is asked for.
  const batches = await Array.fromAsync(source.batches(), (batch) => [...batch]);
  const items = batches.flat();
  return {
    format: source.format,
    columns: source.columns,
    rows: items.filter((item) => 'values' in item),
    problems: items.filter((item) => 'code' in item),
  };
}
