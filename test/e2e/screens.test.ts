import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/output/width.ts';
import { runInProcess } from '../commands/run-in-process.ts';
import { answering } from '../harness/answering.ts';
import { type Home, useHome } from '../harness/run-payctl.ts';
import { wordsOf } from '../harness/words-of.ts';

/** What is typed after `payctl`, and what differs from a run that is only read. */
type Screen = {
  readonly line: string;
  /** Variables, which the page shows before the command. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed at which question. */
  readonly reply?: readonly [question: string, keys: string];
  /** Ctrl-C is pressed once this is on the screen. */
  readonly interruptAt?: string;
};

const folder = join(import.meta.dirname, '../../docs/screens');
const reading = useHome();
/** Failed requests are entries of the API log, so they have another emulator than the lists. */
const failing = useHome();
/** `emulator reset` asks only while no other command uses the data. */
const resetting = useHome();
const WIDTHS = [80, 120, 200];

const PRODUCTION = { PAYCTL_ENVIRONMENT: 'production' };
const AUTHORIZED = '804ee0c6-9069-494a-a6cb-511fabfa6360';
const CAPTURED = '900bc987-48d3-4c96-bcdd-a3eb6dd9547d';
const no = ['[y/N]: ', 'n\r'] as const;

const read = (...lines: readonly string[]): Screen[] => lines.map((line) => ({ line }));

const SCREENS: Readonly<Record<string, readonly Screen[]>> = {
  Lists: read(
    'buyers list --limit 6',
    'buyers gift-cards list --buyer-id c127d095',
    'payment-methods list --limit 6',
    'payment-methods list --limit 3 -o wide',
    'digital-wallets list',
    'roles list --limit 4',
    'webhook-subscriptions list --limit 4',
    'api-logs list --max-items 8',
    'api-logs summary',
    'audit-logs list --limit 6',
    'profiles list',
    'api list',
    'transactions list --limit 6',
    'transactions list --limit 3 -o wide',
    'transactions refunds list ed91909a-6bbc-4f05-a58d-ecb5ef447853',
    'payment-links list --limit 4',
    'reports list --limit 4',
    "buyers list --search 'nobody of this name'",
  ),
  'One record': [
    ...read(
      'buyers get ef28fde9',
      'buyers gift-cards get 1bc96416',
      'payment-methods get 3d7cd5ac',
      'digital-wallets get d65a7eff',
      'checkout-sessions get c5000000-0000-4000-8000-000000000001',
      'roles get 6d3df8e6',
      'webhook-subscriptions get 34baef51',
      'api-logs get 5041a892',
      'audit-logs get cda3a067',
      'profiles show acme',
      'transactions get ed91909a',
      'refunds get 66cf8dad-0344-4e78-9700-9443e9794bdf',
      'payment-links get 96a0b6da',
      'reports get 4c03c4a1',
      'api show transactions capture',
      "buyers find 'conceição guimarães'",
    ),
    { line: 'buyers find guimar', reply: ['(Enter for none): ', '2\r'] },
  ],
  'Two API descriptions': read('api diff payments.json next.json'),
  'Logs that are followed': [
    { line: 'api-logs tail --last 6', interruptAt: '5041a892' },
    { line: 'audit-logs tail --last 6', interruptAt: 'eb68a5fe' },
  ],
  Questions: [
    { line: `transactions capture ${AUTHORIZED} -F amount=5.00SEK`, env: PRODUCTION, reply: no },
    { line: `transactions refunds create ${CAPTURED}`, env: PRODUCTION, reply: no },
    { line: 'payment-links delete 96a0b6da-4404-47aa-97ce-84210abac269', reply: no },
    {
      line: "buyers shipping-details create b15ff7f7-99af-4486-9ba1-35063669c5aa --first-name 'João' --last-name 'Guimarães' --city Lisboa --country PT",
      env: PRODUCTION,
      reply: no,
    },
    { line: 'profiles delete acme', reply: no },
    { line: 'profiles set acme --max-amount EUR=900.00', reply: no },
    { line: 'emulator reset', reply: no },
  ],
  Errors: [
    ...read(
      'buyers list --lmit 5',
      'buyers list --limit 500',
      'buyer list',
      'buyers get',
      'buyers get 00000000-0000-4000-8000-000000000000',
      'transactions get 00000000-0000-4000-8000-000000000000',
      'buyers find nobody',
      'api get /nowhere',
      'audit-logs list --since someday',
      'roles list --profile acmee',
      `transactions capture ${AUTHORIZED} -F amount=5.00`,
      `transactions capture ${AUTHORIZED} -F amount=5.000SEK`,
      `transactions capture ${AUTHORIZED} -F amount=5.00EUR`,
      `transactions capture ${AUTHORIZED} -F amount=9999.00SEK`,
      `transactions capture ${AUTHORIZED} -F amout=500`,
      'transactions create -F amount=500',
    ),
    { line: 'payment-methods list', env: { PAYCTL_TOKEN: 'not-a-token' } },
    {
      line: 'buyers list',
      env: { PAYCTL_BASE_URL: 'http://127.0.0.1:1', PAYCTL_TOKEN: 'a-token', PAYCTL_MAX_RETRIES: '0' },
    },
  ],
};

const ALL = Object.values(SCREENS).flat();

/** The terminal of the test as a person sees it: without the progress lines that were erased, and with examples where runs differ. */
function seen(output: string, home: Home): string {
  return stripVTControlCharacters(
    output
      .replaceAll('\r\n', '\n')
      .split('\n')
      .map((line) => line.split('\r\u001b[2K').at(-1))
      .join('\n'),
  )
    .replaceAll(home.path, '~')
    .replaceAll(/127\.0\.0\.1:\d{4,}/g, '127.0.0.1:40100')
    .replaceAll(/--cursor[ =]\S+/g, '--cursor CURSOR')
    .replaceAll(/(request ID\s)[\da-f-]{36}/g, '$1f3428893-6890-430a-b696-7665603dd530')
    .replaceAll(/(\nexpires_at +)2\d{3}-\S+ \S+Z/g, '$12025-12-01 10:00:00.000Z')
    .replaceAll(/expires in \d+ minutes/g, 'expires in 60 minutes')
    .replaceAll(/[ \t]+$/gm, '')
    .trimEnd();
}

/** Nine screens at a time, of which the first three run as the program on a terminal, each of another width. */
const isProgram = (screen: Screen, columns: number) =>
  process.env.PAYCTL_LONG_TESTS === '1' || ALL.indexOf(screen) % 9 === WIDTHS.indexOf(columns);

/**
 * What a terminal receives: from the program where something is typed or files of the folder are named, and for some of the other
 * screens; else from a run within the test.
 */
async function received(screen: Screen, columns: number, home: Home): Promise<string> {
  const { line, reply, interruptAt } = screen;
  const terminal = { columns, withStderr: true };
  const env = { PAYCTL_PROFILE: 'emulator', NO_COLOR: '1', ...screen.env };
  const needsProcess = reply || interruptAt || line.startsWith('api diff');
  if (!needsProcess && !isProgram(screen, columns)) {
    const variables = { ...home.env, ...env, TERM: 'xterm-256color' };
    return (await runInProcess(wordsOf(line), { ...terminal, env: variables })).stdout;
  }
  const untouched = { ...terminal, untouched: true };
  const running = home.start(wordsOf(line), { env, terminal: untouched, cwd: home.path });
  if (reply) await answering(running)(...reply);
  if (interruptAt) {
    await running.sees('stdout', interruptAt);
    running.type('\u0003');
  }
  return (await running.done).stdout;
}

async function screenOf(screen: Screen, columns: number, home: Home) {
  const typed = Object.entries(screen.env ?? {}).map(([name, value]) => `${name}=${value} `);
  const text = seen(await received(screen, columns, home), home);
  return `$ ${typed.join('')}payctl ${screen.line}\n${text}\n`;
}

function homeOf(section: string, { line }: Screen): Home {
  if (line === 'emulator reset') return resetting;
  return section === 'Errors' ? failing : reading;
}

/** Every screen of a width below the heading of its section. Four run at a time. */
async function screens(columns: number): Promise<string> {
  const all = Object.entries(SCREENS).flatMap(([section, ofSection]) =>
    ofSection.map((screen, index) => ({ section, screen, index })),
  );
  const texts: string[] = [];
  const rest = all.entries();
  const work = async () => {
    for (const [at, { section, screen, index }] of rest) {
      const heading = index === 0 ? `## ${section}\n\n` : '';
      texts[at] = `${heading}\`\`\`text\n${await screenOf(screen, columns, homeOf(section, screen))}\`\`\`\n`;
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return texts.join('\n');
}

function introduction(columns: number): string {
  const links = WIDTHS.map((width) => (width === columns ? `${width}` : `[${width}](${width}.md)`));
  return `# Screens of ${columns} columns

What payctl shows on a terminal of ${columns} columns, without colours; other widths: ${links.join(', ')}. The service is the
emulator, with the records of 1 December 2025 and the API description that \`payctl emulator describe\` prints; the variable
\`PAYCTL_PROFILE\` is \`emulator\`. \`npx vitest run test/e2e/screens.test.ts -u\` writes this page again.
`;
}

beforeAll(async () => {
  for (const home of [reading, failing, resetting]) {
    const { stdout } = await home.payctl(['emulator', 'describe']);
    const file = join(home.path, 'payments.json');
    writeFileSync(file, stdout);
    writeFileSync(join(home.path, 'next.json'), nextVersion(stdout));
    await home.payctl(['api', 'import', file, '--profile', 'emulator', '-q']);
    await home.payctl(['transactions', 'list', '--profile', 'emulator', '-q']);
    await home.payctl(
      'profiles set acme --base-url https://api.acme.example.com --environment production --max-amount EUR=500.00'.split(
        ' ',
      ),
    );
  }
});

/** The description after an upgrade that breaks scripts. */
function nextVersion(text: string): string {
  const next = JSON.parse(text);
  const { paths, components } = next;
  delete paths['/payment-links/{payment_link_id}/expire'];
  delete components.schemas.Transaction.properties.external_identifier;
  components.schemas.RefundCreate.required = ['reason'];
  components.schemas.TransactionStatus.enum.push('disputed');
  paths['/transactions'].get.parameters.push({ name: 'status_not', in: 'query', schema: { type: 'string' } });
  paths['/reports'].get.deprecated = true;
  return JSON.stringify({ ...next, info: { ...next.info, version: '2.0.0' } });
}

/** Lines that do not fit. A typed line and what is copied as a whole (a command, an address) may be longer. */
function tooLong(text: string, columns: number): string[] {
  const isWhole = /^(\$|payctl|curl) |^ *https?:\S+$/;
  return text.split('\n').filter((line) => displayWidth(line) > columns && !isWhole.test(line));
}

describe.each(WIDTHS)('docs/screens/%s.md', (columns) => {
  it('shows what a terminal of this width shows', async () => {
    const text = await screens(columns);
    expect(tooLong(text, columns)).toEqual([]);
    await expect(`${introduction(columns)}\n${text}`).toMatchFileSnapshot(join(folder, `${columns}.md`));
  });
});
