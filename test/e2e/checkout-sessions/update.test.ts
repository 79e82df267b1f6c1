import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { answering } from '../../harness/answering.ts';
import { lines } from '../../harness/lines.ts';
import { quickHomes } from '../quick-homes.ts';
import { useEmulator } from '../shared-emulator.ts';

const { useHome } = quickHomes();

const home = useHome();
const emulator = useEmulator(home, { buyers: 0 });

/** The id of the n-th seeded session; each test has its own. */
const session = (number: number) => `c5000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const update = (number: number, ...flags: string[]) => [
  'checkout-sessions',
  'update',
  session(number),
  ...flags,
];

type Document = { readonly cart_items: readonly object[]; readonly metadata?: Record<string, unknown> };

/** A session as the running emulator holds it, from its cart on: the first change of a session also stores when it expires. */
function stored(number: number): { readonly text: string; readonly document: Document } {
  const row = emulator()
    .database.prepare('SELECT document FROM checkout_sessions WHERE id = ?')
    .get(session(number));
  const whole = String(row?.document);
  const text = `{${whole.slice(whole.indexOf('"cart_items"'))}`;
  return { text, document: JSON.parse(text) };
}

/** Changes a session as somebody else would. */
function store(number: number, document: object | string): void {
  const changed = typeof document === 'string' ? document : JSON.stringify(document);
  const whole = {
    type: 'checkout-session',
    id: session(number),
    expires_at: '1970-01-01T00:00:00.000+00:00',
  };
  const text = `${JSON.stringify(whole).slice(0, -1)},${changed.slice(1)}`;
  emulator()
    .database.prepare('UPDATE checkout_sessions SET document = ? WHERE id = ?')
    .run(text, session(number));
}

const sandbox = { env: { PAYCTL_PROFILE: 'emulator' } };
const production = { env: { ...sandbox.env, PAYCTL_ENVIRONMENT: 'production' } };

describe('checkout-sessions update on a running emulator', () => {
  it('adds items from flags and from a file below the home, and keeps every digit of the others', async () => {
    const { document, text } = stored(1);
    store(
      1,
      text.replace(/"quantity":\d+/, '"quantity":1e0').replace(/"unit_amount":\d+/, '"unit_amount":1.0'),
    );
    const before = stored(1).text;
    writeFileSync(join(home.path, 'item.json'), '{"name":"Scone","quantity":3}');
    const items = ['--add-cart-item', '{"name":"Tea","unit_amount":450}', '--add-cart-item', '@~/item.json'];
    const run = await home.payctl(update(1, ...items, '--jq', '.cart_items | length'), sandbox);
    const count = document.cart_items.length;
    expect(run).toMatchObject({ stdout: `${count + 2}\n`, code: 0 });
    expect(run.stderr.split('\n')[0]).toBe(`The update adds 2 items to the ${count} in the cart.`);
    const added = ',{"name":"Tea","unit_amount":450},{"name":"Scone","quantity":3}],"metadata"';
    expect(stored(1).text).toBe(before.replace('],"metadata"', added));
  });

  it('signs a token for reading and one for writing, and for a dry run only the first', async () => {
    const log = () => emulator().database.prepare('SELECT count(*) AS count FROM api_logs').get()?.count;
    const before = log();
    const readOnly = { env: { ...sandbox.env, PAYCTL_READ_ONLY: '1' } };
    const flags = ['--set-metadata', 'dry=run'];
    expect(await home.payctl(update(5, ...flags), readOnly)).toMatchObject({ stdout: '', code: 2 });
    const dry = await home.payctl(update(5, ...flags, '--dry-run'), readOnly);
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout.split('\n').at(-2)).toMatch(/^\{"metadata":\{.*,"dry":"run"\}\}$/);
    expect(stored(5).document.metadata).not.toHaveProperty('dry');
    expect(log()).toBe(before);
  });
});

describe('checkout-sessions update in production', () => {
  const terminal = { columns: 80, withStderr: true };
  const QUESTION = 'Send it? [y/N]: ';

  beforeAll(() => {
    store(3, { ...stored(3).document, cart_items: [], metadata: { a: '1' } });
    store(6, { ...stored(6).document, cart_items: [], metadata: { a: '1' } });
  });

  it('shows the whole field that it would send, and sends nothing on a no', async () => {
    const before = stored(3).text;
    const running = home.start(update(3, '--set-metadata', 'b=2'), { ...production, terminal });
    await answering(running)(QUESTION, 'n\r');
    const { stdout, code } = await running.done;
    const shown = lines(
      'The update sets metadata "b".',
      `\u001b[31m\u001b[1mPRODUCTION\u001b[22m\u001b[39m  emulator, no merchant account, ${emulator().baseUrl}`,
      '(PAYCTL_ENVIRONMENT is production)',
      'Update a checkout session: PUT',
      `    | /checkout/sessions/${session(3)}`,
      '  metadata',
      '    a  1',
      '    b  2',
    );
    expect(stdout.slice(0, shown.length)).toBe(shown);
    expect(stdout).toMatch(/\(not_confirmed\)\nNothing was sent\.\n$/);
    expect(code).toBe(2);
    expect(stored(3).text).toBe(before);
  });

  it('sends it on a yes', async () => {
    const running = home.start(update(3, '--set-metadata', 'b=2'), { ...production, terminal });
    await answering(running)(QUESTION, 'y\r');
    expect(await running.done).toMatchObject({ code: 0 });
    expect(stored(3).document.metadata).toEqual({ a: '1', b: '2' });
  });

  it('says so and asks again where somebody else changed the session meanwhile', async () => {
    const running = home.start(update(6, '--set-metadata', 'b=2'), { ...production, terminal });
    const answer = answering(running);
    await running.sees('stdout', QUESTION);
    store(6, { ...stored(6).document, metadata: { theirs: 'x' } });
    await answer(QUESTION, 'y\r');
    await running.sees('stdout', '    theirs  x');
    await answer(QUESTION, 'y\r');
    const { stdout, code } = await running.done;
    expect(stdout).toContain(
      'Someone else changed metadata of the session; the update now includes that\nchange.\n',
    );
    expect(code).toBe(0);
    expect(stored(6).document.metadata).toEqual({ theirs: 'x', b: '2' });
  });
});
