import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { buyer } from '../paged-service.ts';
import { BUYERS, downloadOf } from './faulty-service.ts';
import { errorOf, runOrKill, type Soak } from './soak.ts';

/** Each change was carried out as often as its run says. */
export async function changes(soak: Soak): Promise<number> {
  let count = 0;
  for (; soak.hasTime(); count += 1) {
    const name = `change-${count}`;
    const create = ['buyers', 'shipping-details', 'create', 'b-1', '--first-name', name, '--json'];
    const result = await runOrKill(soak, [...create, '--max-retries', '2']);
    const carriedOut = soak.service.carriedOut.get(name) ?? 0;
    const error = errorOf(result);
    const message = `${name}: carried out ${carriedOut} times; ${JSON.stringify(result)}`;
    expect(carriedOut, message).toBeLessThanOrEqual(1);
    if (result.code === 0 || error?.outcome === 'done') expect(carriedOut, message).toBe(1);
    else if (result.signal === null && !error?.outcome_unknown) expect(carriedOut, message).toBe(0);
  }
  return count;
}

/** Each buyer is exported once, however often the export is ended and resumed. */
export async function exportsOf(soak: Soak): Promise<number> {
  let count = 0;
  for (; soak.hasTime(); count += 1) {
    let printed: number[] = [];
    let cursor: string | undefined;
    for (let isWhole = false; !isWhole && soak.hasTime(); ) {
      const start = cursor === undefined ? [] : ['--cursor', cursor];
      const list = ['buyers', 'list', '--all', '--limit', '20', '-o', 'ndjson'];
      const result = await runOrKill(soak, [...list, '--max-retries', '2', ...start]);
      // A run that could not say where it stopped does not count, and is run again.
      if (result.signal !== null) continue;
      const error = errorOf(result);
      const rows = numbersOf(result.stdout);
      printed = [...printed, ...rows];
      isWhole = result.code === 0 || error?.complete === true;
      const message = JSON.stringify({ ...result, stdout: `${rows.length} lines` });
      if (isWhole) expect(printed, message).toEqual(Array.from({ length: BUYERS }, (_, index) => index));
      else if (rows.length > 0) expect(error?.resume_cursor, message).toBe(`from-${printed.length}`);
      cursor = printed.length === 0 ? undefined : `from-${printed.length}`;
    }
  }
  return count;
}

const idOf = new Map(Array.from({ length: BUYERS }, (_, number) => [String(buyer(number).id), number]));

/** The numbers of the buyers in whole lines of NDJSON. */
function numbersOf(ndjson: string): number[] {
  if (ndjson === '') return [];
  expect(ndjson.slice(-1)).toBe('\n');
  const lines = ndjson.slice(0, -1).split('\n');
  return lines.map((line) => idOf.get((JSON.parse(line) as { id: string }).id) ?? -1);
}

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Files', version: '1' },
  paths: {
    '/downloads/{number}': {
      parameters: [{ name: 'number', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: { 200: { description: 'A file.', content: { 'text/csv': {} } } } },
    },
  },
};

/** A file is there after a download, and whole, or it is not there. */
export async function downloads(soak: Soak): Promise<number> {
  const file = join(soak.home.path, 'download.csv');
  const description = join(soak.home.path, 'openapi.json');
  writeFileSync(description, JSON.stringify(DESCRIPTION));
  let count = 0;
  for (; soak.hasTime(); count += 1) {
    rmSync(file, { force: true });
    const get = ['downloads', 'get', String(count), '--output-file', file, '--max-retries', '2', '-q'];
    const result = await runOrKill(soak, get, { env: { PAYCTL_DESCRIPTION: description } });
    const bytes = existsSync(file) ? readFileSync(file) : undefined;
    const message = `download ${count}, ${bytes?.length} of ${downloadOf(count).length} bytes: ${JSON.stringify(result)}`;
    if (bytes) expect(bytes.equals(downloadOf(count)), message).toBe(true);
    else expect(result.code, message).not.toBe(0);
  }
  return count;
}
