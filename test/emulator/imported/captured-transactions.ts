import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmulatorOptions } from '../../../src/emulator/server.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { copyOfData } from '../copy-of-data.ts';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

/** A transaction of the sample, as far as tests look at it. */
export type CapturedTransaction = {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly external_identifier: string;
};

const CURRENCIES = ['EUR', 'USD', 'JPY'] as const;

/**
 * Makes captured transactions in an emulator of the sample, in EUR, USD and JPY by turns: `order-1` of 10,001 minor units,
 * `order-2` of 10,002, and so on. Returns them in this order.
 */
export async function captureTransactions(
  emulator: Pick<ImportedEmulator, 'call'>,
  count: number,
): Promise<readonly CapturedTransaction[]> {
  const made: CapturedTransaction[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) {
      const external_identifier = `order-${index + 1}`;
      const amount = 10_001 + index;
      const currency = CURRENCIES[index % CURRENCIES.length];
      const { status, body } = await emulator.call('POST', '/transactions', {
        body: { amount, currency, intent: 'capture', external_identifier },
      });
      if (status !== 201) throw new Error(`transaction ${index + 1} was not made: ${JSON.stringify(body)}`);
      made[index] = body as CapturedTransaction;
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return made;
}

/** Starts an emulator of a variant of the sample with captured transactions. Their requests are not among those that `options` are told of. */
export async function startCaptured(
  document: unknown,
  count: number,
  options: Partial<EmulatorOptions> = {},
): Promise<{ readonly emulator: ImportedEmulator; readonly transactions: readonly CapturedTransaction[] }> {
  const data = folderForTest();
  const digest = createHash('sha256').update(JSON.stringify(document)).digest('hex');
  await copyOfData(data, `captured-${count}-${digest}`, async (directory) => {
    await using emulator = await startImported(document, {}, directory);
    const captured = await captureTransactions(emulator, count);
    writeFileSync(join(directory, 'captured.json'), JSON.stringify(captured));
  });
  const transactions = JSON.parse(readFileSync(join(data, 'captured.json'), 'utf8'));
  return { emulator: await startImported(document, options, data), transactions };
}
