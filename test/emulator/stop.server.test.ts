import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { filesOf } from '../../src/emulator/data-files.ts';
import { instancePath, proveInstance, proveStop } from '../../src/emulator/instance.ts';
import { claimServing } from '../../src/emulator/serving.ts';
import { stopEmulator } from '../../src/emulator/stop.ts';
import { startTestEmulator, temporaryDirectory } from './test-emulator.ts';

const post = (port: number, query: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const path = `${instancePath}${query}`;
    request({ host: '127.0.0.1', port, path, method: 'POST', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

describe('a request to stop', () => {
  it('is accepted with the proof of the nonce, and from nobody else', async () => {
    const onStop = vi.fn();
    await using test = await startTestEmulator({ buyers: 1, onStop });
    const { port, nonce } = test.emulator;
    for (const query of [
      '',
      '?stop=',
      '?stop=x',
      `?stop=${nonce}`,
      `?stop=${proveInstance(nonce, 'stop')}`,
    ]) {
      expect(await post(port, query), query).toBe(403);
    }
    expect(onStop).not.toHaveBeenCalled();
    expect(await post(port, `?stop=${proveStop(nonce)}`)).toBe(202);
    await vi.waitFor(() => expect(onStop).toHaveBeenCalledOnce());
  });

  it('cannot use an answer to a challenge as its proof', async () => {
    await using test = await startTestEmulator({ buyers: 1, onStop: () => {} });
    const { baseUrl, port, nonce } = test.emulator;
    const challenge = encodeURIComponent('stop this emulator');
    for (const text of [challenge, 'stop+this+emulator', 'stop this emulator']) {
      const response = await fetch(`${baseUrl}${instancePath}?challenge=${text}`);
      const { proof } = (await response.json()) as { proof: string };
      expect(proof).not.toBe(proveStop(nonce));
      expect(await post(port, `?stop=${proof}`)).toBe(403);
    }
  });

  it('is refused by an emulator that serves one command only', async () => {
    await using test = await startTestEmulator({ buyers: 1 });
    const { port, nonce } = test.emulator;
    expect(await post(port, `?stop=${proveStop(nonce)}`)).toBe(403);
  });
});

describe('stopEmulator', () => {
  it('says of one that does not respond which process it is', async () => {
    using directory = temporaryDirectory();
    const serving = claimServing(directory.path);
    await expect(stopEmulator(directory.path)).rejects.toMatchObject({
      code: 'emulator_not_stopped',
      message: `The emulator in ${directory.path} does not respond`,
      hint: `End process ${process.pid}.`,
    });
    serving.release();
    expect(await stopEmulator(directory.path)).toBeUndefined();
  });

  it('says that one that refuses did not stop', async () => {
    await using test = await startTestEmulator({ buyers: 1 });
    const serving = claimServing(test.directory);
    serving.advertise(test.emulator, new Date());
    await expect(stopEmulator(test.directory)).rejects.toMatchObject({
      code: 'emulator_not_stopped',
      message: `The emulator at ${test.emulator.baseUrl} did not stop`,
      hint: `End process ${process.pid}.`,
    });
  });

  it('asks nothing of a process that is no emulator', async () => {
    await using test = await startTestEmulator({ buyers: 1 });
    const advertisement = {
      ...test.emulator,
      database: undefined,
      pid: process.pid,
      startedAt: 'x',
      nonce: 'other',
    };
    writeFileSync(filesOf(test.directory).running, JSON.stringify(advertisement));
    expect(await stopEmulator(test.directory)).toBeUndefined();
  });
});
