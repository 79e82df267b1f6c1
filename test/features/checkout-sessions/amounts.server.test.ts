import { expect, it } from 'vitest';
import { folderForAll } from '../../harness/temporary-folder.ts';
import { runImported } from '../api/run-imported.ts';

const none = { home: folderForAll(), file: undefined };
const update = ['checkout-sessions', 'update', 's-1'];
const session = {
  status: 200,
  body: { type: 'checkout-session', id: 's-1', cart_items: [], currency: 'EUR' },
};
const reads = ['GET', '/checkout/sessions/s-1'];
const items = (unit: string) => `[{"name":"Tea","quantity":2,"unit_amount":${unit}}]`;

it('sends an amount with its currency in minor units, compared with the session', async () => {
  const flags = ['--cart-items', items('"4.50EUR"')];
  const done = await runImported([...update, ...flags], none, { script: [session, session] });
  const sent = `{"cart_items":${items('450')}}`;
  expect(done).toMatchObject({ code: 0, sent: [reads, ['PUT', '/checkout/sessions/s-1', sent]] });
});

it('converts an item that is added', async () => {
  const flags = [
    '--add-cart-item',
    '{"name":"Tea","quantity":2,"unit_amount":"4.50EUR"}',
    '--dry-run',
    '-o',
    'json',
  ];
  const done = await runImported([...update, ...flags], none, { script: [session, session] });
  expect(done).toMatchObject({ code: 0, sent: [reads, reads] });
  expect(JSON.parse(done.stdout).body).toEqual({ cart_items: JSON.parse(items('450')) });
});

it.each([
  [
    '"4.50USD"',
    'Error: The request body is not valid: /cart_items/0/unit_amount is in USD, but the record "s-1" is in EUR (bad_body)\nNothing was sent.\n',
    [reads],
  ],
  [
    '4.50',
    'Error: The request body is not valid: /cart_items/0/unit_amount must be an integer in digits only, not 4.50 (bad_body)\nNothing was sent. Amounts are in minor units. For example, 4.50 EUR is 450 or "4.50EUR". Once the body is valid, --dry-run shows the request.\n',
    [],
  ],
])('refuses %s', async (unit, message, sent) => {
  const failed = await runImported([...update, '--data', `{"cart_items":${items(unit)}}`], none, {
    script: [session],
  });
  expect(failed).toMatchObject({ stdout: '', code: 2, sent });
  expect(failed.stderr).toContain(message);
});
