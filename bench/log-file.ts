import { closeSync, openSync, writeSync } from 'node:fs';
import { createTraffic } from '../src/emulator/traffic/generate.ts';
import { readTrafficPlan } from '../src/emulator/traffic/plan.ts';
import { createRandom } from '../src/text/random.ts';

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;
const START = Date.UTC(2026, 0, 1);
/** One entry in so many is repeated, as where two exports overlap. */
const AGAIN = 200;

/**
 * Writes entries of an API log to a file, one a line, oldest first: what the traffic of the emulator makes, with bursts, late
 * entries and bodies that are not error objects, where each request is about a record of its own. Always the same for the same count.
 */
export function writeLogFile(path: string, count: number): void {
  const file = openSync(path, 'w');
  const random = createRandom(1, 'log-file');
  const run = { run: 'bench', baseUrl: 'https://api.example.com', buyerId: undefined };
  let now = START;
  let written = 0;
  let text = '';
  for (const { delayMs, logsAt } of createTraffic(readTrafficPlan({}), run)) {
    now += delayMs;
    for (const { log } of logsAt(now)) {
      const line = JSON.stringify({ ...log, request_url: log.request_url?.replace(UUID, random.uuid()) });
      const copies = random.below(AGAIN) === 0 ? 2 : 1;
      for (let copy = 0; copy < copies && written < count; copy += 1) {
        text += `${line}\n`;
        written += 1;
      }
    }
    if (text.length > 2 ** 20 || written === count) {
      writeSync(file, text);
      text = '';
    }
    if (written === count) break;
  }
  closeSync(file);
}
