import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { filesOf } from '../../src/emulator/data-files.ts';
import { findRunning, findServed } from '../../src/emulator/running.ts';
import { claimServing } from '../../src/emulator/serving.ts';
import { readTrafficPlan } from '../../src/emulator/traffic/plan.ts';
import { startTestEmulator, temporaryDirectory } from './test-emulator.ts';

const startedAt = new Date('2030-05-05T10:00:00.000Z');

/** Writes an advertisement that differs in some fields from a good one of this process. */
function writeAdvertisement(directory: string, fields: Readonly<Record<string, unknown>>): void {
  const port = typeof fields.port === 'number' ? fields.port : 4010;
  const good = {
    pid: process.pid,
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    startedAt: 'x',
    merchantHeader: 'x',
    nonce: 'n',
  };
  writeFileSync(filesOf(directory).running, JSON.stringify({ ...good, ...fields }));
}

/** Something else than an emulator on a port. */
async function startStranger(
  listener: RequestListener,
): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('an emulator that advertises itself', () => {
  it('is found, by a file for its owner alone, until it withdraws', async () => {
    await using test = await startTestEmulator({ buyers: 1 });
    expect(await findRunning(test.directory)).toBeUndefined();
    const serving = claimServing(test.directory);
    expect(await findRunning(test.directory)).toBeUndefined();
    serving.advertise(test.emulator, startedAt);
    const { running } = filesOf(test.directory);
    if (process.platform !== 'win32') expect(statSync(running).mode & 0o777).toBe(0o600);
    expect(await findRunning(test.directory)).toEqual({
      pid: process.pid,
      port: test.emulator.port,
      baseUrl: test.emulator.baseUrl,
      startedAt: '2030-05-05T10:00:00.000Z',
      merchantHeader: 'x-service-merchant-account-id',
    });
    serving.release();
    expect(existsSync(running)).toBe(false);
    expect(await findRunning(test.directory)).toBeUndefined();
  });

  it('never reveals its nonce', async () => {
    await using test = await startTestEmulator({ buyers: 1 });
    for (const query of ['', '?challenge=', '?challenge=abc', '?challenge=%00']) {
      const response = await fetch(`${test.emulator.baseUrl}/__emulator${query}`);
      const text = await response.text();
      expect(JSON.parse(text)).toEqual({ type: 'emulator', proof: expect.stringMatching(/^[\w-]{43}$/) });
      expect(text).not.toContain(test.emulator.nonce);
    }
  });

  it('is not found once it has ended, and the file of a dead process is removed', async () => {
    using directory = temporaryDirectory();
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    writeAdvertisement(directory.path, { pid });
    expect(await findRunning(directory.path)).toBeUndefined();
    expect(existsSync(filesOf(directory.path).running)).toBe(false);
    const test = await startTestEmulator({ buyers: 1 });
    claimServing(directory.path).advertise(test.emulator, startedAt);
    await test[Symbol.asyncDispose]();
    expect(await findRunning(directory.path)).toBeUndefined();
  });
});

describe('a stranger on the port of the file', () => {
  it.each([
    [
      'gives back the challenge',
      (challenge: string) => JSON.stringify({ type: 'emulator', proof: challenge }),
    ],
    ['answers no JSON', () => '<html>'],
    ['answers null', () => 'null'],
    ['answers without end', () => 'x'.repeat(50_000)],
  ])('is not believed when it %s', async (_, answer) => {
    using directory = temporaryDirectory();
    await using stranger = await startStranger((request, response) => {
      response.end(answer(request.url?.split('=')[1] ?? ''));
    });
    writeAdvertisement(directory.path, { port: stranger.port });
    expect(await findRunning(directory.path)).toBeUndefined();
    expect(existsSync(filesOf(directory.path).running)).toBe(true);
  });

  it('is waited for no longer than two seconds', async () => {
    using directory = temporaryDirectory();
    await using stranger = await startStranger(() => undefined);
    writeAdvertisement(directory.path, { port: stranger.port });
    const soon = AbortSignal.timeout(20);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(soon);
    onTestFinished(() => timeout.mockRestore());
    expect(await findRunning(directory.path)).toBeUndefined();
    expect(timeout.mock.calls).toEqual([[2000]]);
    expect(existsSync(filesOf(directory.path).running)).toBe(true);
  });

  it('is not believed when it is another emulator', async () => {
    await using one = await startTestEmulator({ buyers: 1 });
    await using two = await startTestEmulator({ buyers: 1 });
    claimServing(one.directory).advertise(one.emulator, startedAt);
    const { nonce } = JSON.parse(readFileSync(filesOf(one.directory).running, 'utf8')) as { nonce: string };
    writeAdvertisement(one.directory, { port: two.emulator.port, nonce });
    expect(await findRunning(one.directory)).toBeUndefined();
  });
});

describe('a damaged running.json', () => {
  it.each([
    { pid: -1 },
    { pid: '7' },
    { port: 0 },
    { port: 70_000 },
    { baseUrl: 'http://evil.example' },
    { startedAt: 1 },
    { merchantHeader: null },
    { nonce: '' },
    { nonce: null },
  ])('with %j is no emulator', async (fields) => {
    using directory = temporaryDirectory();
    writeAdvertisement(directory.path, fields);
    expect(await findRunning(directory.path)).toBeUndefined();
  });

  it.each(['', 'null', '{', '[]'])('that reads %j is no emulator', async (text) => {
    using directory = temporaryDirectory();
    writeFileSync(filesOf(directory.path).running, text);
    expect(await findRunning(directory.path)).toBeUndefined();
  });
});

it.each([
  [undefined, undefined],
  [{ rate: 5 }, '5'],
  [{ records: { buyers: 20, 'payment-methods': 0.5 } }, 'buyers=20, payment-methods=0.5'],
  [{ rate: 2, records: { buyers: 20 } }, '2, buyers=20'],
])('an emulator says what its traffic %j is to who knows its nonce', async (plan, traffic) => {
  await using test = await startTestEmulator({ buyers: 3, ...(plan && { traffic: readTrafficPlan(plan) }) });
  const serving = claimServing(test.directory);
  serving.advertise(test.emulator, startedAt);
  expect(await findServed(test.directory)).toEqual({ description: undefined, traffic });
  const stranger = await fetch(`${test.emulator.baseUrl}/__emulator?question=which`);
  expect(await stranger.json()).toEqual({ type: 'emulator', proof: expect.any(String) });
  serving.release();
});
