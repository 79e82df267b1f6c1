import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { importDescription } from '../../../src/descriptions/import-description.ts';
import { importFolder } from '../../../src/descriptions/read-store.ts';
import { storeImport } from '../../../src/descriptions/store.ts';
import { filesOf } from '../../../src/emulator/data-files.ts';
import { readSigningKey } from '../../../src/tokens/keys.ts';
import { signToken } from '../../../src/tokens/sign.ts';
import { largeDescription } from '../../descriptions/large-description.ts';
import { startTestEmulator, temporaryDirectory } from '../test-emulator.ts';

/** Makes invoices over several connections until the server is gone; gives the ids of those that were answered. */
async function makeInvoices(url: string, token: string, made: (count: number) => void): Promise<string[]> {
  const ids: string[] = [];
  const body = JSON.stringify({ amount: 1200, currency: 'EUR', display_name: 'Kept' });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const work = async () => {
    for (;;) {
      const answer = await fetch(`${url}/invoices`, { method: 'POST', headers, body })
        .then(async (response) => ({
          status: response.status,
          body: (await response.json()) as { id: string },
        }))
        .catch(() => undefined);
      if (answer === undefined) return;
      expect(answer.status).toBe(201);
      ids.push(answer.body.id);
      made(ids.length);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return ids;
}

it('keeps every record that it has answered with, and its audit log, when it is killed', async () => {
  using directory = temporaryDirectory();
  using stored = temporaryDirectory();
  const imported = await importDescription(JSON.stringify(largeDescription()), { file: 'service.json' });
  const folder = importFolder(stored.path, storeImport(stored.path, imported));
  const script = join(import.meta.dirname, 'hold-imported.ts');
  const child = spawn(process.execPath, [script, directory.path, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [url] = await once(child.stdout, 'data');
  const key = await readSigningKey(readFileSync(filesOf(directory.path).signingKey, 'utf8'));
  const token = await signToken(key, { scopes: ['*'], issuer: 'payctl/test' });
  const ids = await makeInvoices(String(url).trim(), token, (count) => {
    if (count === 300) child.kill('SIGKILL');
  });
  await ended;
  expect(ids.length).toBeGreaterThanOrEqual(300);
  await using test = await startTestEmulator({ description: async () => folder }, directory.path);
  const found = await Promise.all(
    ids.map((id) => test.send(`/invoices/${id}`, { scopes: ['*'] }).then(({ body }) => body.id)),
  );
  expect(found).toEqual(ids);
  const logged = test.emulator.database
    .prepare("SELECT document ->> '$.resource.id' AS id FROM audit_logs WHERE action = 'created'")
    .all();
  const inLogs = new Set(logged.map(({ id }) => id));
  expect(ids.filter((id) => !inLogs.has(id))).toEqual([]);
});
