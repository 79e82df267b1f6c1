import type { ImportedEmulator } from './imported-emulator.ts';

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
