import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lines } from '../harness/lines.ts';
import { failed, succeeded } from '../harness/outcome.ts';
import type { Home } from '../harness/run-payctl.ts';
import { quickHomes } from './quick-homes.ts';

const { freshHome } = quickHomes();

const BASE_URL = /^http:\/\/127\.0\.0\.1:\d+$/;
const READY = 'The emulator is running. Press Ctrl-C to stop it. Try: payctl buyers list --profile emulator';

/** What new data holds. */
const RECORDS = '877 of default, 219 of outlet and 14 others';

const keyFile = (home: Home) => join(home.configDirectory, 'data/emulator/signing-key.pem');
const keyLine = (home: Home) => `Key that signs tokens for it: ${keyFile(home)}`;
const LIST = ['buyers', 'list', '--profile', 'emulator'];
const runningFile = (home: Home) => join(home.configDirectory, 'data/emulator/running.json');

async function startEmulator(home: Home, ...flags: string[]) {
  const running = home.start(['emulator', 'start', ...flags]);
  const baseUrl = (await running.sees('stdout', '\n')).trim();
  return { running, baseUrl };
}

describe('payctl emulator start', () => {
  it('prints its base URL on stdout, serves the commands of others, and ends with 0 on Ctrl-C', async () => {
    const home = freshHome();
    const { running, baseUrl } = await startEmulator(home, '--buyers', '30');
    expect(baseUrl).toMatch(BASE_URL);
    const list = await home.payctl([...LIST, '--all', '-o', 'ndjson', '-q', '-m', 'default']);
    expect(list).toMatchObject({ stderr: '', code: 0 });
    await running.sees('stderr', 'GET /buyers');
    running.kill('SIGINT');
    const run = await running.done;
    expect(run.stdout).toBe(`${baseUrl}\n`);
    expect(run.stderr.replace(/[\d.]+ ms/, 'N ms')).toBe(
      lines(READY, keyLine(home), '200 GET /buyers?limit=100 N ms'),
    );
    expect(run).toMatchObject({ code: 0, signal: null });
    const status = await home.payctl(['emulator', 'status', '--json']);
    expect(JSON.parse(status.stdout).running).toBe(false);
  });

  it('changes records with --traffic LIST=RATE until it is stopped', async () => {
    const home = freshHome();
    const { running } = await startEmulator(home, '--buyers', '30', '--traffic', 'buyers=500');
    const list = async () => (await home.payctl([...LIST, '--all', '-o', 'ndjson', '-q'])).stdout;
    const first = await list();
    while ((await list()) === first);
    running.kill('SIGINT');
    expect(await running.done).toMatchObject({ code: 0, signal: null });
    const last = await list();
    expect(await list()).toBe(last);
  });

  it.each([
    [
      ['--records', 'transactions=all'],
      lines(
        'Error: --records must be LIST=N with a whole number from 1 to 10000000, not "transactions=all" (bad_flag)',
        'For example: --records transactions=1000',
      ),
    ],
    [
      ['--records', 'transactions=9'],
      lines(
        'Error: The emulator cannot make records: there is no list "transactions" in its description (unknown_list)',
        'For buyers, use --buyers; for any other list, give its description.',
      ),
    ],
  ])('starts nothing with %s', async (flags, stderr) => {
    const home = freshHome();
    const run = await home.payctl(['emulator', 'start', '--buyers', '3', ...flags]);
    expect(run).toMatchObject({ stdout: '', stderr, code: 2 });
  });

  it('appends every request with its time to the file of --request-log', async () => {
    const home = freshHome();
    const file = join(home.path, 'requests.ndjson');
    const faults = join(home.path, 'faults.json');
    writeFileSync(file, '{"kept":true}\n');
    writeFileSync(faults, '[{"drop":true,"perform":false,"count":1}]');
    const { running } = await startEmulator(home, '--request-log', file, '--faults', faults);
    expect(await home.payctl([...LIST, '-q'])).toMatchObject({ code: 0 });
    running.kill('SIGINT');
    expect(await running.done).toMatchObject({ code: 0 });
    const [kept, ...requests] = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(kept).toBe('{"kept":true}');
    const pattern =
      /^\{"received_at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","method":"GET","path":"\/buyers(\?limit=\d+)?","status":(0|200),"milliseconds":[\d.]+\}$/;
    expect(requests.map((line) => pattern.exec(line)?.[2])).toEqual(['0', '200']);
  });

  it('starts nothing if the file of --request-log cannot be written', async () => {
    const home = freshHome();
    const file = join(home.path, 'missing', 'requests.ndjson');
    expect(await home.payctl(['emulator', 'start', '--request-log', file])).toMatchObject({
      stdout: '',
      stderr: lines(`Error: "${file}" cannot be written: no such file or directory (file_unwritable)`),
      code: 2,
    });
  });

  it('prints its facts in the format that is asked for', async () => {
    const { running } = await startEmulator(freshHome(), '-o', 'csv');
    await running.sees('stderr', 'The emulator is running.');
    running.kill('SIGINT');
    const run = await running.done;
    expect(run.stdout).toMatch(
      /^base_url,port,pid,signing_key,description\r\nhttp:\/\/127\.0\.0\.1:(\d+),\1,\d+,.+,\r\n$/,
    );
    expect(run).toMatchObject({ code: 0 });
  });

  it('prints one JSON object with --json', async () => {
    const home = freshHome();
    const { running, baseUrl: line } = await startEmulator(home, '--json');
    const { base_url: baseUrl, port, pid, ...rest } = JSON.parse(line);
    expect({ baseUrl, pid, rest }).toEqual({
      baseUrl: `http://127.0.0.1:${port}`,
      pid: running.pid,
      rest: { signing_key: keyFile(home), description: null },
    });
    running.kill('SIGTERM');
    expect(await running.done).toMatchObject({ stderr: '', code: 0 });
  });

  it('ends with 129 when its terminal hangs up', async () => {
    const { running } = await startEmulator(freshHome());
    running.kill('SIGHUP');
    expect(await running.done).toMatchObject({ code: 129, signal: null });
  });

  it('says nothing on stderr with -q', async () => {
    const home = freshHome();
    const { running } = await startEmulator(home, '-q');
    await home.payctl(LIST);
    running.kill('SIGINT');
    expect(await running.done).toMatchObject({ stderr: '', code: 0 });
  });

  it('listens on the port of --port, and refuses one that is in use', async () => {
    const home = freshHome();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const refused = await home.payctl(['emulator', 'start', '--port', String(port)]);
    expect(refused).toEqual(
      failed(
        2,
        `Error: Port ${port} on 127.0.0.1 is in use (port_in_use)`,
        'Choose another port with --port; 0 selects any free port.',
      ),
    );
    await new Promise((resolve) => taken.close(resolve));
    const { baseUrl } = await startEmulator(home, '--port', String(port));
    expect(baseUrl).toBe(`http://127.0.0.1:${port}`);
  });

  it('seeds as many buyers as --buyers says, others with another --seed, and keeps them', async () => {
    const home = freshHome();
    const count = async () => {
      const run = await home.payctl([
        ...LIST,
        '--all',
        '--json',
        '--jq',
        '[(.items | length), .items[0].id]',
      ]);
      return JSON.parse(run.stdout) as [number, string];
    };
    const first = await startEmulator(home, '--buyers', '7', '--seed', '3');
    const [, id] = await count();
    first.running.kill('SIGINT');
    await first.running.done;
    expect((await count())[1]).toBe(id);
    const second = await startEmulator(home, '--seed', '4', '--yes');
    expect((await count())[1]).not.toBe(id);
    second.running.kill('SIGINT');
    await second.running.done;
  });

  it('generates records that end on the day of --until or of the variable, else on this one', async () => {
    const newest = async (home: Home, env = {}) => {
      const flags = ['--profile', 'emulator', '--json', '--jq', '.items[0].request_received_at[:10]'];
      return await home.payctl(['api-logs', 'list', ...flags], { env });
    };
    expect((await newest(freshHome(), { PAYCTL_EMULATOR_UNTIL: '2026-03-02' })).stdout).toBe('2026-03-02\n');
    const home = freshHome();
    const { running } = await startEmulator(home, '--until', '2026-05-06');
    expect((await newest(home)).stdout).toBe('2026-05-06\n');
    running.kill('SIGINT');
    await running.done;
    const today = freshHome();
    const recent = [
      'api-logs',
      'list',
      '--profile',
      'emulator',
      '--since',
      '7d',
      '--jq',
      '.items | length > 0',
    ];
    expect((await today.payctl(recent, { env: { PAYCTL_EMULATOR_UNTIL: undefined } })).stdout).toBe('true\n');
    const wrong = await home.payctl(['emulator', 'start', '--until', '2026-02-30']);
    expect(wrong).toEqual(
      failed(
        2,
        'Error: --until must be a date, not "2026-02-30" (bad_flag)',
        'Use a date from 2000-01-01 to 2099-12-31, such as 2026-03-01.',
      ),
    );
  });

  it('keeps other data in another directory, beside an emulator that runs', async () => {
    const home = freshHome();
    const first = home.start(['emulator', 'start']);
    await first.sees('stderr', 'Try: payctl buyers list --profile emulator\n');
    const second = home.start([
      'emulator',
      'start',
      '--buyers',
      '30',
      '--directory',
      join(home.path, 'other'),
    ]);
    await second.sees('stderr', 'The emulator is running. Press Ctrl-C to stop it.\n');
    await second.sees('stderr', join(home.path, 'other', 'signing-key.pem'));
    const { stdout } = await home.payctl(['emulator', 'status', '--json', '--jq', '.base_url']);
    for (const running of [first, second]) running.kill('SIGTERM');
    const [own, other] = [await first.done, await second.done];
    expect(stdout).toBe(own.stdout);
    expect(other.stdout).not.toBe(own.stdout);
    expect(other.code).toBe(0);
  });

  it('names the emulator of --directory in hints, and status, stop and reset find it', async () => {
    const home = freshHome();
    const directory = join(home.path, 'two words');
    const there = ['--directory', directory];
    const { running, baseUrl } = await startEmulator(home, '--buyers', '7', ...there);
    const stop = `payctl emulator stop --directory '${directory}'`;
    const at = `at ${baseUrl} (process ${running.pid}) (emulator_running)`;
    expect(await home.payctl(['emulator', 'start', ...there])).toMatchObject({
      stdout: '',
      stderr: lines(
        `Error: An emulator is already running ${at}`,
        `Choose another directory with --directory or PAYCTL_CONFIG_DIR, or stop it: ${stop}`,
      ),
      code: 2,
    });
    expect(await home.payctl(['emulator', 'reset', '--yes', ...there])).toMatchObject({
      stderr: lines(`Error: An emulator is serving this data ${at}`, `Stop it first: ${stop}`),
      code: 2,
    });
    const jq = (command: string, expression: string) =>
      home.payctl(['emulator', command, ...there, '--jq', expression]);
    expect((await jq('status', '[.running, .base_url]')).stdout).toBe(`[true,"${baseUrl}"]\n`);
    expect((await home.payctl(['emulator', 'stop', '--jq', '.stopped'])).stdout).toBe('false\n');
    expect((await jq('stop', '[.stopped, .directory]')).stdout).toBe(`[true,"${directory}"]\n`);
    expect(await running.done).toMatchObject({ code: 0, signal: null });
    const reset = await home.payctl(['emulator', 'reset', '--yes', ...there]);
    expect(reset).toMatchObject({ stderr: 'The next start generates new data.\n', code: 0 });
    expect(existsSync(join(directory, 'emulator.sqlite'))).toBe(false);
  });

  it('replaces data only after a confirmation', async () => {
    const home = freshHome();
    const ids = async () => (await home.payctl([...LIST, '--json', '--jq', '[.items[].id]'])).stdout;
    const before = await ids();
    const directory = join(home.configDirectory, 'data/emulator');
    expect(await home.payctl(['emulator', 'start', '--buyers', '30'])).toEqual(
      failed(
        2,
        `Error: The emulator's data was generated with --seed 1 --buyers 250 --until 2025-12-01; other values would replace all its records: ${RECORDS} (emulator_data_differs)`,
        'Add --yes to replace it; to keep it, leave these flags out, or choose another --directory.',
      ),
    );
    const asking = home.start(['emulator', 'start', '--buyers', '30', '--no-color'], {
      terminal: { columns: 300, withStderr: true },
    });
    const question = `Replace the emulator's data in ${directory} (records: ${RECORDS})? [y/N]: `;
    await asking.sees('stdout', question);
    asking.type('\r');
    const kept = await asking.done;
    expect(kept.code).toBe(2);
    expect(kept.stdout).toContain('Nothing was changed (not_confirmed)');
    expect(await ids()).toBe(before);
    const again = home.start(['emulator', 'start', '--buyers', '30', '--no-color'], {
      terminal: { columns: 300, withStderr: true },
    });
    await again.sees('stdout', question);
    again.type('y\r');
    await again.sees('stdout', 'The emulator is running.');
    again.kill('SIGTERM');
    await again.done;
    expect(await ids()).not.toBe(before);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends on %s with %i while it makes its data, and leaves the old data', async (signal, code) => {
    const home = freshHome();
    await home.payctl([...LIST, '--limit', '1']);
    const directory = join(home.configDirectory, 'data/emulator');
    const before = readFileSync(join(directory, 'emulator.sqlite'));
    const running = home.start(['emulator', 'start', '--buyers', '10000000', '--yes']);
    while (!existsSync(join(directory, 'emulator.sqlite.new'))) await new Promise((go) => setTimeout(go, 5));
    running.kill(signal);
    // Before the emulator serves, a signal ends it as any other command.
    expect(await running.done).toMatchObject({ stdout: '', code });
    expect(readdirSync(directory).sort()).toEqual([
      'data.lock',
      'emulator.sqlite',
      'restricted-key.pem',
      'serving.lock',
      'signing-key.pem',
    ]);
    expect(readFileSync(join(directory, 'emulator.sqlite'))).toEqual(before);
  });

  it('ends with 0 when Ctrl-C is typed on its terminal', async () => {
    const home = freshHome();
    const running = home.start(['emulator', 'start'], { terminal: { columns: 80 } });
    await running.sees('stdout', '\n');
    running.type('\u0003');
    expect(await running.done).toMatchObject({ stderr: lines(READY, keyLine(home)), code: 0, signal: null });
  });
});

describe('a merchant header of another name', () => {
  const X_ACME = { PAYCTL_MERCHANT_HEADER: 'X-Acme-Account' };
  const OUTLET = [...LIST, '-m', 'outlet', '-o', 'ndjson', '-q'];
  const accountsOf = (stdout: string) =>
    new Set(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).merchant_account_id),
    );

  it('chooses the merchant account of the emulator inside a command', async () => {
    const run = await freshHome().payctl(OUTLET, { env: X_ACME });
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(accountsOf(run.stdout)).toEqual(new Set(['outlet']));
  });

  it('is that of the variable or the profile that the emulator was started with, beside the default', async () => {
    const home = freshHome();
    const set = ['profiles', 'set', 'acme', '--merchant-header', 'x-acme-account'];
    expect(await home.payctl([...set, '--base-url', 'https://acme.example.com'])).toMatchObject({ code: 0 });
    expect(await home.payctl(['profiles', 'use', 'acme'])).toMatchObject({ code: 0 });
    await startEmulator(home);
    for (const env of [X_ACME, {}]) {
      const run = await home.payctl(OUTLET, { env });
      expect(run).toMatchObject({ stderr: '', code: 0 });
      expect(accountsOf(run.stdout)).toEqual(new Set(['outlet']));
    }
  });

  it('is refused by payctl when the emulator that runs would ignore it', async () => {
    const home = freshHome();
    await startEmulator(home);
    const run = await home.payctl(OUTLET, { env: X_ACME });
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).toContain('emulator_header_unknown');
    expect(run.stderr).toContain('Stop it first: payctl emulator stop');
    expect(await home.payctl([...LIST, '--limit', '1'], { env: X_ACME })).toMatchObject({ code: 0 });
  });
});

describe('payctl emulator status', () => {
  it('says where an emulator runs', async () => {
    const home = freshHome();
    const { running, baseUrl } = await startEmulator(home);
    const table = await home.payctl(['emulator', 'status']);
    const startedAt = JSON.parse(readFileSync(runningFile(home), 'utf8')).startedAt;
    expect(table).toEqual(
      succeeded(
        lines(
          'running\ttrue',
          `base_url\t${baseUrl}`,
          `pid\t${running.pid}`,
          `started_at\t${startedAt}`,
          `directory\t${join(home.configDirectory, 'data/emulator')}`,
          `signing_key\t${keyFile(home)}`,
          'description\t',
          'traffic\t',
        ),
      ),
    );
  });

  it('says that none runs, which is no error', async () => {
    const home = freshHome();
    const directory = join(home.configDirectory, 'data/emulator');
    const json = await home.payctl(['emulator', 'status', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({
      running: false,
      base_url: null,
      pid: null,
      started_at: null,
      directory,
      signing_key: null,
      description: null,
      traffic: null,
    });
    expect(json).toMatchObject({ stderr: '', code: 0 });
    const table = await home.payctl(['emulator', 'status']);
    expect(table.stderr).toBe(
      'No emulator is running; with --profile emulator, each command runs its own.\n',
    );
  });
});

describe('payctl emulator stop', () => {
  it('ends the emulator, which keeps its data, and waits for its end', async () => {
    const home = freshHome();
    const { running, baseUrl } = await startEmulator(home, '--buyers', '7');
    const run = await home.payctl(['emulator', 'stop']);
    const directory = join(home.configDirectory, 'data/emulator');
    expect(run).toEqual(
      succeeded(
        lines('stopped\ttrue', `base_url\t${baseUrl}`, `pid\t${running.pid}`, `directory\t${directory}`),
      ),
    );
    expect(() => process.kill(running.pid, 0)).toThrow('ESRCH');
    expect(await running.done).toEqual(
      succeeded(
        `${baseUrl}\n`,
        lines(READY, keyLine(home), 'The emulator was stopped by payctl emulator stop.'),
      ),
    );
    expect(existsSync(runningFile(home))).toBe(false);
    const list = await home.payctl([...LIST, '--json', '--jq', '.items | length']);
    expect(list).toMatchObject({ stdout: '7\n', code: 0 });
  });

  it('says that none was running, which is no error', async () => {
    const home = freshHome();
    const run = await home.payctl(['emulator', 'stop']);
    expect(run).toMatchObject({ stderr: 'No emulator was running.\n', code: 0 });
    const json = await home.payctl(['emulator', 'stop', '--jq', '[.stopped, .base_url, .pid]']);
    expect(json).toMatchObject({ stdout: '[false,null,null]\n', code: 0 });
  });

  it('stops nothing for an expression that is invalid', async () => {
    const home = freshHome();
    await startEmulator(home);
    expect(await home.payctl(['emulator', 'stop', '--jq', '.['])).toMatchObject({ stdout: '', code: 2 });
    const status = await home.payctl(['emulator', 'status', '--jq', '.running']);
    expect(status).toMatchObject({ stdout: 'true\n', code: 0 });
  });
});

describe('payctl emulator reset', () => {
  it('deletes the data, and says what it deleted', async () => {
    const home = freshHome();
    await home.payctl([...LIST, '--limit', '1']);
    const directory = join(home.configDirectory, 'data/emulator');
    const first = await home.payctl(['emulator', 'reset', '--yes', '--json']);
    expect(JSON.parse(first.stdout)).toEqual({
      directory,
      deleted: ['emulator.sqlite', 'signing-key.pem', 'restricted-key.pem'].map((name) =>
        join(directory, name),
      ),
    });
    expect(first).toMatchObject({ stderr: '', code: 0 });
    const again = await home.payctl(['emulator', 'reset']);
    expect(again).toMatchObject({ stderr: 'There was nothing to delete.\n', code: 0 });
  });

  it('asks on a terminal, and Enter means no', async () => {
    const home = freshHome();
    await home.payctl([...LIST, '--limit', '1']);
    const directory = join(home.configDirectory, 'data/emulator');
    const running = home.start(['emulator', 'reset', '--no-color'], {
      terminal: { columns: 200, withStderr: true },
    });
    const question = `Delete the emulator's data (records: ${RECORDS}) and signing keys in ${directory}? [y/N]: `;
    await running.sees('stdout', question);
    running.type('\r');
    const run = await running.done;
    expect(run.code).toBe(2);
    expect(run.stdout).toContain("Error: The emulator's data was not deleted (not_confirmed)");
    expect(existsSync(join(directory, 'emulator.sqlite'))).toBe(true);
  });

  it('needs --yes where there is nobody to ask', async () => {
    const home = freshHome();
    await home.payctl([...LIST, '--limit', '1']);
    expect(await home.payctl(['emulator', 'reset'])).toEqual(
      failed(
        2,
        "Error: The emulator's data was not deleted (not_confirmed)",
        'Add --yes to delete it without confirmation.',
      ),
    );
    expect(existsSync(join(home.configDirectory, 'data/emulator/emulator.sqlite'))).toBe(true);
  });

  it('refuses while an emulator serves the data', async () => {
    const home = freshHome();
    const { running, baseUrl } = await startEmulator(home);
    const run = await home.payctl(['emulator', 'reset']);
    expect(run).toEqual(
      failed(
        2,
        `Error: An emulator is serving this data at ${baseUrl} (process ${running.pid}) (emulator_running)`,
        'Stop it first: payctl emulator stop',
      ),
    );
  });
});

describe('a running.json that is stale', () => {
  it.each([
    ['of a process that is gone', { pid: 2 ** 22 - 1 }],
    ['of a process that is something else', { pid: process.pid }],
  ])('is not believed, and each command runs an emulator of its own: %s', async (_, changes) => {
    const home = freshHome();
    await home.payctl([...LIST, '--limit', '1']);
    const stranger = createServer((_request, response) => void response.end('{"items":[]}'));
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void stranger.close());
    const { port } = stranger.address() as AddressInfo;
    const startedAt = new Date().toISOString();
    const file = {
      port,
      baseUrl: `http://127.0.0.1:${port}`,
      startedAt,
      merchantHeader: 'x',
      nonce: 'n',
      ...changes,
    };
    writeFileSync(runningFile(home), JSON.stringify(file));
    const run = await home.payctl([...LIST, '--limit', '1', '-o', 'ndjson', '-q']);
    expect(JSON.parse(run.stdout).id).toBe('ef28fde9-5d24-429e-af7b-494ed25fc77c');
    expect(run).toMatchObject({ stderr: '', code: 0 });
  });

  it('is left by a kill, and the next start takes over', async () => {
    const home = freshHome();
    const killed = await startEmulator(home);
    killed.running.kill('SIGKILL');
    await killed.running.done;
    expect(JSON.parse(readFileSync(runningFile(home), 'utf8')).pid).toBe(killed.running.pid);
    const next = await startEmulator(home);
    const list = await home.payctl([...LIST, '--limit', '1', '-v']);
    expect(list.stderr).toContain(`* base URL: ${next.baseUrl} (default)\n`);
    expect(list.code).toBe(0);
  });
});
