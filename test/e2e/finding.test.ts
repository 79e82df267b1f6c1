import { describe, expect, it } from 'vitest';
import { quickHomes } from './quick-homes.ts';
import { useEmulator } from './shared-emulator.ts';

const { useHome } = quickHomes();

const home = useHome();
useEmulator(home);

const payctl = (...args: string[]) => home.payctl([...args, '--profile', 'emulator']);
type Item = Readonly<Record<string, unknown>>;

/** Everything that a list has, as the service sends it. */
async function all(command: string): Promise<readonly string[]> {
  const { stdout } = await payctl(...command.split(' '), 'list', '--all', '-o', 'ndjson', '-q', ...REVEAL);
  return stdout.trimEnd().split('\n');
}
const REVEAL = ['--reveal-secrets'];

describe('get on the emulator', () => {
  it.each([
    'buyers',
    'payment-methods',
    'buyers gift-cards',
    'digital-wallets',
    'roles',
    'webhook-subscriptions',
    'audit-logs',
    'api-logs',
  ])('finds the last item of the list, exactly as it was listed: %s', async (command) => {
    const last = (await all(command)).at(-1) ?? '';
    const { id } = JSON.parse(last) as { id: string };
    const found = await payctl(...command.split(' '), 'get', id, '-o', 'json', '-q', ...REVEAL);
    expect(found).toMatchObject({ stdout: `${last}\n`, stderr: '', code: 0 });
  });

  it('ends with 5 for what there is not, after all items', async () => {
    const count = (await all('webhook-subscriptions')).length;
    expect(await payctl('webhook-subscriptions', 'get', 'nope')).toMatchObject({
      stdout: '',
      stderr: `Error: No webhook subscription has the ID "nope"; payctl searched ${count} webhook subscriptions (not_found)\nIt may belong to another merchant account: add --merchant-account ID.\n`,
      code: 5,
    });
  });
});

describe('buyers find on the emulator', () => {
  const find = async (text: string, ...flags: string[]) => {
    const run = await payctl('buyers', 'find', text, '-o', 'json', ...flags);
    return { ...run, document: run.stdout === '' ? undefined : JSON.parse(run.stdout) };
  };

  it('finds the same buyer by ID, external identifier and name', async () => {
    const documents = await Promise.all(
      ['c127d095-5e35-4c7d-9be1-6425bf77a794', 'buyer-000249', 'conceição guimarães'].map(
        async (text) => (await find(text)).document,
      ),
    );
    expect(documents[0]).toMatchObject({
      buyer: { display_name: 'Conceição Guimarães' },
      payment_methods: [{}, {}],
      gift_cards: [{ balance: 13470 }, {}],
      audit_logs: [{ resource: { id: 'c127d095-5e35-4c7d-9be1-6425bf77a794' } }],
    });
    expect(documents[1]).toEqual(documents[0]);
    expect(documents[2]).toEqual(documents[0]);
  });

  it('asks for the number of one on a terminal', async () => {
    const start = () =>
      home.start(['buyers', 'find', 'guimarães', '--profile', 'emulator', '--no-pager', '--no-color'], {
        terminal: { columns: 80, withStderr: true },
      });
    const chosen = start();
    await chosen.sees('stdout', '(Enter for none): ');
    chosen.type('9\r');
    await chosen.sees('stdout', 'Enter a number from 1 to 4');
    chosen.type('2\r');
    const { stdout, code } = await chosen.done;
    expect(stdout).toMatch(/^# {2}NAME +EXTERNAL ID +CREATED \(UTC\) +ID\n1 {2}Concei/);
    expect(stdout).toMatch(/\ndisplay_name +João Guimarães\n/);
    expect(code).toBe(0);
    const none = start();
    await none.sees('stdout', '(Enter for none): ');
    none.type('\r');
    expect(await none.done).toMatchObject({ stdout: expect.not.stringContaining('Error'), code: 2 });
  });
});

describe('audit-logs list on the emulator', () => {
  const list = async (...flags: string[]) => {
    const { stdout } = await payctl('audit-logs', 'list', '-o', 'ndjson', '-q', ...flags);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Item & { user: Item; resource: Item; timestamp: string });
  };

  it('finds the entries of a resource and of a span of time', async () => {
    const everything = await list('--all');
    const [{ resource }] = everything as [(typeof everything)[0]];
    expect(await list('--resource-id', String(resource.id))).toEqual(
      everything.filter((entry) => entry.resource.id === resource.id),
    );
    const span = ['--since', '2025-11-01T00:00:00Z', '--until', '2025-11-15T00:00:00Z'];
    expect(await list(...span, '--all')).toEqual(
      everything.filter(
        ({ timestamp }) => timestamp >= '2025-11-01' && timestamp <= '2025-11-15T00:00:00.000+00:00',
      ),
    );
    const { stderr } = await payctl('audit-logs', 'list', ...span);
    expect(stderr).toMatch(
      /^\d+ of 100 audit log entries between \S+Z and 2025-12-01\S+Z match\. --since 2025-11-01T00:00:00Z is 2025-11-01T00:00:00Z\. --until 2025-11-15T00:00:00Z is 2025-11-15T00:00:00Z\.\n/,
    );
  });
});
