import { createZstdCompress } from 'node:zlib';
import type { Compression, PartWriter, PartWriterOptions } from '../format.ts';
export const ending = (compression: Compression) => compression === 'zstd' ? '.ndjson.zst' : '.ndjson';
export function createPartWriter({ write }: PartWriterOptions): PartWriter {
  const zstd = createZstdCompress({ chunkSize: 1 << 18 });
  const done = (async () => { for await (const c of zstd) await write(c as Uint8Array); })();
  done.catch(() => {});
  let buffered = '';
  const flush = async () => { const t = buffered; buffered = ''; if (!zstd.write(t)) await Promise.race([new Promise((r) => zstd.once('drain', r)), done]); };
  return {
    async add(texts) { buffered += `${texts.join('\n')}\n`; if (buffered.length > 1 << 18) await flush(); },
    async end() { await flush(); zstd.end(); await done; return { unfit: {} }; },
  };
}
