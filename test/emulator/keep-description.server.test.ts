import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importDescription } from '../../src/descriptions/import-description.ts';
import { importFolder } from '../../src/descriptions/read-store.ts';
import { storeImport } from '../../src/descriptions/store.ts';
import type { DescriptionChange } from '../../src/emulator/keep-description.ts';
import { findRunning, findServedDescription } from '../../src/emulator/running.ts';
import sample from '../../src/emulator/sample.json' with { type: 'json' };
import { claimServing } from '../../src/emulator/serving.ts';
import { startTestEmulator, temporaryDirectory } from './test-emulator.ts';

async function storedSample(directory: string, title: string): Promise<string> {
  const document = { ...sample, info: { ...sample.info, title } };
  const imported = await importDescription(JSON.stringify(document), { file: 'service.json' });
  return importFolder(directory, storeImport(directory, imported));
}

/** An emulator of `folder()`, whose clock continues with `wait`, and what it tells of its description. */
async function startKeeping(folder: () => string | undefined) {
  let now = Date.now();
  const told: (string | undefined)[] = [];
  const onDescription = (change: DescriptionChange) =>
    told.push('error' in change ? change.error.message : change.served?.title);
  const emulator = await startTestEmulator({
    now: () => new Date(now),
    description: async () => folder(),
    onDescription,
  });
  const get = async (path: string) => emulator.send(path, { scopes: ['*'] });
  const wait = () => {
    now += 1000;
  };
  return { emulator, told, get, wait };
}

it('what was imported is still served after its files are gone', async () => {
  using stored = temporaryDirectory();
  const folder = await storedSample(stored.path, 'First');
  const { emulator, get, wait } = await startKeeping(() => folder);
  await using _ = emulator;
  expect((await get('/reports')).status).toBe(200);
  const data = readdirSync(folder).find((name) => name.endsWith('.data')) ?? '';
  writeFileSync(join(folder, data), 'damaged');
  expect((await get('/transactions')).status).toBe(200);
  rmSync(folder, { recursive: true });
  wait();
  expect((await get('/payment-links')).status).toBe(200);
});

it('another import that is damaged is told once, and the one before is served', async () => {
  using stored = temporaryDirectory();
  const [first, second] = [
    await storedSample(stored.path, 'First'),
    await storedSample(stored.path, 'Second'),
  ];
  const data = readdirSync(second).find((name) => name.endsWith('.data')) ?? '';
  writeFileSync(join(second, data), 'damaged');
  let folder: string | undefined = first;
  const { emulator, told, get, wait } = await startKeeping(() => folder);
  await using _ = emulator;
  await get('/reports');
  folder = second;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    wait();
    expect((await get('/transactions')).status).toBe(200);
  }
  const damage = `The imported description in ${second} is damaged`;
  expect(told).toEqual(['First', damage]);
  folder = first;
  wait();
  await get('/transactions');
  folder = undefined;
  wait();
  expect((await get('/transactions')).status).toBe(404);
  expect(told).toEqual(['First', damage, undefined]);
});

it('a description that cannot be read at first is a 500 that says why', async () => {
  using stored = temporaryDirectory();
  const folder = await storedSample(stored.path, 'First');
  writeFileSync(join(folder, 'index.json'), '{');
  const { emulator, get } = await startKeeping(() => folder);
  await using _ = emulator;
  expect(await get('/transactions')).toMatchObject({
    status: 500,
    body: {
      type: 'error',
      code: 'server_error',
      status: 500,
      message: `The imported description in ${folder} is damaged`,
      details: [],
    },
  });
  expect((await get('/buyers')).status).toBe(200);
});

it('a running emulator says which description it serves to who knows its nonce', async () => {
  using stored = temporaryDirectory();
  const folder = await storedSample(stored.path, 'First');
  let served: string | undefined = folder;
  const { emulator, wait } = await startKeeping(() => served);
  await using _ = emulator;
  const { directory } = emulator;
  expect(await findServedDescription(directory)).toBeUndefined();
  const serving = claimServing(directory);
  serving.advertise(emulator.emulator, new Date());
  expect(await findRunning(directory)).toBeDefined();
  const known = { title: 'First', version: '1.0.0', file: 'service.json', operations: 17 };
  expect(await findServedDescription(directory)).toEqual(known);
  const stranger = await fetch(`${emulator.emulator.baseUrl}/__emulator?question=which`);
  expect(await stranger.json()).toEqual({ type: 'emulator', proof: expect.any(String) });
  served = undefined;
  wait();
  expect(await findServedDescription(directory)).toBeUndefined();
  serving.release();
});

it('is looked for at most once a second, also where there is none', async () => {
  using stored = temporaryDirectory();
  const imported = await storedSample(stored.path, 'First');
  let folder: string | undefined;
  let looks = 0;
  const { emulator, get, wait } = await startKeeping(() => {
    looks += 1;
    return folder;
  });
  await using _ = emulator;
  for (let request = 0; request < 3; request += 1) expect((await get('/buyers')).status).toBe(200);
  expect(looks).toBe(1);
  folder = imported;
  wait();
  expect((await get('/reports')).status).toBe(200);
  expect(looks).toBe(2);
});
