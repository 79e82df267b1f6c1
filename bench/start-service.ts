import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Starts `service.ts` in a process of its own, so that its work is not measured with the program's. */
export async function startService(
  buyers: number,
  delayMilliseconds = 0,
): Promise<{ origin: string; stop(): void }> {
  const file = join(import.meta.dirname, 'service.ts');
  const child = spawn(process.execPath, [file, String(buyers), String(delayMilliseconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { origin: String(line).trim(), stop: () => child.kill() };
}
