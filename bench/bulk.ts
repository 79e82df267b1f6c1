/** A plan of 1,000,000 rows: time against reading its file with a parser alone, and peak memory. Its application: rate, and the bound of `--rate`. */
import { createWriteStream, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { interleave, mostOf, type Program, type Run, run, tellsMemory, timesOf } from './measure.ts';
import { packagePeer } from './peers.ts';
import { folder, node, payctl, root } from './programs.ts';
import { report, reportAbsent } from './row.ts';
import { startEmulator } from './servers.ts';

const PLANNED = 1_000_000;
const APPLIED = 5000;
const SINGLE = 60;
const RATE = 200;

const CREATE = ['transactions', 'create'];
const REFUND = ['transactions', 'refunds', 'create'];
const CREATE_HEADER = 'amount,currency,intent,external_identifier';
const transaction = (row: number) =>
  `${10_000 + (row % 5000)},${['EUR', 'USD', 'JPY'][row % 3]},capture,order-${row}`;
const refund = (row: number) =>
  `00000000-0000-4000-8000-${String(row).padStart(12, '0')},${1 + (row % 5000)},returned`;

/** Writes a table to a file and gives its path. */
async function table(name: string, lines: Iterable<string>) {
  const path = join(folder, name);
  const text = Readable.from(lines).map((line: string) => `${line}\n`);
  await finished(text.pipe(createWriteStream(path)));
  return path;
}

function* rowsOf(line: (row: number) => string, count: number) {
  for (let row = 1; row <= count; row += 1) yield line(row);
}

const description = join(folder, 'payments.json');
await run({ ...payctl(['emulator', 'describe']), output: description });
const requests = join(folder, 'requests.ndjson');
const emulator = await startEmulator(['--description', description, '--request-log', requests]);
const env = {
  PAYCTL_DESCRIPTION: description,
  PAYCTL_BASE_URL: emulator.url,
  PAYCTL_TOKEN: emulator.token,
};

function plan(command: readonly string[], from: string): Program {
  const out = `${from}.plan`;
  return payctl(
    ['bulk', 'plan', ...command, '--from', from, '--out', out, '--overwrite', '--no-preflight', '-q'],
    env,
  );
}

const peak = (runs: readonly Run[]) => Math.max(...runs.map(({ mib = Number.NaN }) => mib));

const reader = packagePeer('csvParse');

for (const { name, command, header, line } of [
  { name: 'transactions', command: CREATE, header: CREATE_HEADER, line: transaction },
  { name: 'refunds', command: REFUND, header: 'transaction_id,amount,reason', line: refund },
]) {
  const file = await table('valid.csv', [header, ...rowsOf(line, PLANNED)]);
  // An invalid row before the others: all are checked, and no plan is written.
  const invalid = await table('invalid.csv', [
    header,
    line(0).replace(/\d+/, '#REF!'),
    ...rowsOf(line, PLANNED),
  ]);
  const {
    read,
    check = [],
    write = [],
  } = await interleave<string>(
    {
      ...(reader && { read: node([join(root, 'bench', 'bare-csv.mjs'), reader.file, file]) }),
      check: { ...plan(command, invalid), exitCode: 2 },
      write: plan(command, file),
    },
    { rounds: 5, warmUp: 0, memory: true },
  );
  const against = reader && read && { name: `reading it with ${reader.name}`, values: timesOf(read) };
  report({
    name: `\`bulk plan\` of 1,000,000 ${name}, without preflight: checks alone`,
    ...{ unit: 'ms', values: timesOf(check), ...(against && { against, bar: { atMost: 2 } }) },
  });
  report({
    name: `\`bulk plan\` of 1,000,000 ${name}, without preflight`,
    ...{ unit: 'ms', values: timesOf(write), ...(against && { against }) },
  });
  if (tellsMemory) {
    const values = { best: peak(write), median: peak(write) };
    report({ name: `the same, peak memory`, unit: 'MiB', values, bar: { atMost: 150 } });
  } else reportAbsent('peak memory', 'it takes the time of GNU');
  for (const path of [file, invalid, `${file}.plan`]) rmSync(path);
}

/** Applies a plan of so many rows, and gives the rate of its rows. */
async function apply(name: string, rows: number, flags: readonly string[] = []): Promise<number> {
  const lines = rowsOf((row) => `${transaction(row)}-${name}`, rows);
  const file = await table(name, [CREATE_HEADER, ...lines]);
  await run(plan(CREATE, file));
  const { wall } = await run(payctl(['bulk', 'apply', `${file}.plan`, '--yes', '-q', ...flags], env));
  return (rows / wall) * 1000;
}

/** The rate of single commands, four at the same time. */
async function single(rows: number): Promise<number> {
  const { args, env: user } = payctl([...CREATE, '-F', 'amount=10001', '-F', 'currency=EUR', '-q'], env);
  const numbers = await table('numbers.txt', rowsOf(String, rows));
  const words = [
    '-a',
    numbers,
    '-P4',
    '-I{}',
    process.execPath,
    ...args,
    '-F',
    'external_identifier=single-{}',
  ];
  const { wall } = await run({ command: 'xargs', args: words, env: user });
  return (rows / wall) * 1000;
}

await single(4);
const [bulk, singles] = [[await apply('first.csv', APPLIED)], [await single(SINGLE)]];
bulk.push(await apply('second.csv', APPLIED));
singles.push(await single(SINGLE));
report({
  name: '`bulk apply` of 5,000 rows, rate',
  unit: 'per second',
  values: mostOf(bulk),
  against: { name: '`xargs -P4` of single commands', values: mostOf(singles) },
  bar: { atLeast: 10 },
  wallOnly: true,
});

await apply('bounded.csv', RATE * 5, ['--rate', String(RATE)]);
await emulator.stop();
const bounded = readFileSync(requests, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { received_at: string })
  .slice(-RATE * 5)
  .map(({ received_at: at }) => Date.parse(at))
  .sort((one, other) => one - other);
const most = Math.max(
  ...bounded.map((from, index) => bounded.slice(index).filter((at) => at < from + 1000).length),
);
report({
  name: `requests in any second with \`--rate ${RATE}\``,
  unit: 'per second',
  values: { best: most, median: most },
  bar: { atMost: RATE },
});
process.exit();
