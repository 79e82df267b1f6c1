import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { against, answeringBuyers, SECRET_TOKEN, serve, serveBuyers } from '../e2e/paged-service.ts';
import { makeAuthority, makeCertificate } from '../harness/certificates.ts';
import type { Run, RunningProcess } from '../harness/follow-process.ts';
import { startServer } from '../harness/http-server.ts';
import { delivery, post } from '../harness/webhook.ts';

/** What a run of payctl is given besides its words. */
export type ForeignOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** A folder, as this machine names it. */
  readonly cwd?: string;
};

/** An executable, and whatever runs it on this machine. */
export type Foreign = {
  /** As `--version` names it, such as `linux-arm64`. */
  readonly platform: string;
  /** An empty folder of the test, as this machine names it. */
  folder(): string;
  /** The name that the program has for a file in that folder. */
  named(path: string): string;
  /** Starts payctl, which the end of the test ends; settings that it writes are in a new folder unless `env` says where. */
  start(args: readonly string[], options?: ForeignOptions): RunningProcess;
};

const SECRET = 'a secret of a subscription';

/** What payctl has to do on every system; one test each. What depends on the processor is in linux-arm64.test.ts. */
export function foreignCases({ platform, folder, named, start }: Foreign): void {
  const run = (args: readonly string[], options?: ForeignOptions): Promise<Run> => start(args, options).done;
  const succeeds = async (args: readonly string[], options?: ForeignOptions): Promise<Run> => {
    const done = await run(args, options);
    expect(done, done.stderr).toMatchObject({ code: 0, signal: null });
    return done;
  };
  /** A folder whose name has blanks and letters beyond ASCII. */
  const awkward = () => {
    const path = join(folder(), 'Käufer & Söhne für 日本');
    mkdirSync(path);
    return path;
  };
  /** The variables of runs that share settings, and data of the emulator. */
  const sharedSettings = () => ({ PAYCTL_CONFIG_DIR: named(join(folder(), 'settings')) });

  it('prints its version and its help', async () => {
    const version = await succeeds(['--version']);
    expect(version.stdout).toMatch(new RegExp(`^payctl/\\S+ ${platform} node-v[0-9.]+\n$`));
    const help = await succeeds(['--help']);
    expect(help.stdout).toMatch(/^Administer a payment .*\n\nUsage: payctl COMMAND \[FLAGS\]\n/);
    expect(version.stderr + help.stderr).toBe('');
  });

  it('lists over http, in whole, with an expression and in colours where they are wanted', async () => {
    const server = await serveBuyers(5);
    const list = ['buyers', 'list', '--all', '--limit', '2', '-q', '--jq', '[.items[].display_name]'];
    const { stdout } = await succeeds(list, { env: against(server) });
    expect(JSON.parse(stdout)).toEqual([1, 2, 3, 4, 5].map((number) => `Buyer ${number}`));
    const colours = { ...against(server), FORCE_COLOR: '1' };
    expect((await run(['buyers', 'lst'], { env: colours })).stderr).toContain('\u001B[');
  });

  it('lists over https, from a server with a certificate of an authority in a file', async () => {
    const authority = makeAuthority({ name: 'Corp Root' });
    const certificate = makeCertificate({ addresses: ['127.0.0.1'], authority });
    const server = await startServer(answeringBuyers(2), certificate);
    onTestFinished(() => server.close());
    const list = ['buyers', 'list', '-q', '-o', 'csv', '--columns', 'id'];
    const refused = await run(list, { env: against(server) });
    expect(refused.code).not.toBe(0);
    const file = join(awkward(), 'authority.pem');
    writeFileSync(file, authority.cert ?? '');
    const env = { ...against(server), NODE_EXTRA_CA_CERTS: named(file) };
    expect((await succeeds(list, { env })).stdout.trim().split('\n')).toHaveLength(3);
  });

  it('writes and reads a profile with a token, whose line may end as on Windows', async () => {
    const server = await serveBuyers(1);
    const env = { PAYCTL_CONFIG_DIR: named(join(awkward(), 'settings')) };
    const flags = ['--profile', 'dev', '--base-url', server.origin, '--with-token', '--insecure-storage'];
    await succeeds(['auth', 'login', ...flags, '--no-verify'], { env, stdin: `${SECRET_TOKEN}\r\n` });
    await succeeds(['buyers', 'list', '-q'], { env });
    expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET_TOKEN}`);
  });

  it('serves the emulator, whose records others change, until one of them stops it', async () => {
    const env = sharedSettings();
    const emulator = start(['emulator', 'start', '--buyers', '3', '--yes'], { env });
    await emulator.sees('stdout', '\n');
    const ids = await succeeds(['buyers', 'list', '--profile', 'emulator', '-q', '--jq', '.items[].id'], {
      env,
    });
    const [buyer = '', ...others] = ids.stdout.trim().split('\n');
    expect(others).toHaveLength(2);
    const words = ['buyers', 'shipping-details', 'create', buyer, '--first-name', 'Zoë', '--data', '-'];
    const create = [...words, '--profile', 'emulator', '--reveal-pii', '-q', '-o', 'json'];
    const created = await succeeds(create, { env, stdin: '\uFEFF{\r\n"last_name": "Żółć"\r\n}\r\n' });
    expect(JSON.parse(created.stdout)).toMatchObject({ first_name: 'Zoë', last_name: 'Żółć' });
    await succeeds(['emulator', 'stop'], { env });
    expect(await emulator.done).toMatchObject({ code: 0, signal: null });
  });

  it('ends with Ctrl-C while it waits for a response', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await serve(() => asked.resolve());
    const running = start(['buyers', 'list'], { env: against(server) });
    await asked.promise;
    running.kill('SIGINT');
    expect(await running.done).toMatchObject({ stdout: '', code: 130, signal: null });
  });

  it('writes a list to a file, over another only where it may', async () => {
    const server = await serveBuyers(3);
    const cwd = awkward();
    const file = join(cwd, 'alle Käufer.csv');
    writeFileSync(file, 'before');
    const words = ['buyers', 'list', '-q', '-o', 'csv', '--output-file', 'alle Käufer.csv'];
    expect((await run(words, { env: against(server), cwd })).code).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe('before');
    await succeeds([...words, '--overwrite'], { env: against(server), cwd });
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(4);
    expect(readdirSync(cwd)).toEqual(['alle Käufer.csv']);
  });

  it('exports to a folder, and resumes an export that failed', async () => {
    const server = await serveBuyers(5, {
      1: (_, response) => void response.writeHead(403, { 'content-type': 'application/json' }).end('{}'),
    });
    const copy = named(join(awkward(), 'copy'));
    const env = { ...against(server), NO_COLOR: '1' };
    const first = await run(['export', 'buyers', '--to', copy, '-q'], { env });
    expect(first.code).toBe(4);
    await succeeds(['export', '--resume', copy, '-q'], { env });
    const { stdout } = await succeeds(['export', 'verify', copy, '-o', 'json'], { env });
    expect(JSON.parse(stdout).items).toMatchObject([{ resource: 'buyers', rows: 5 }]);
  });

  it('plans and applies a table as Excel on Windows writes it', async () => {
    const env = sharedSettings();
    const table = join(awkward(), 'Adressen.csv');
    const ids = ['buyers', 'list', '--profile', 'emulator', '--limit', '2', '-q', '--jq', '.items[].id'];
    const [one, two] = (await succeeds(ids, { env })).stdout.trim().split('\n');
    writeFileSync(table, `\uFEFFbuyer_id,first_name\r\n${one},Zoë\r\n${two},"Jean\r\nLuc"\r\n`);
    const plan = named(`${table}.plan`);
    const words = ['buyers', 'shipping-details', 'create', '--from', named(table), '--out', plan];
    await succeeds(['bulk', 'plan', ...words, '--profile', 'emulator'], { env });
    const { stdout } = await succeeds(['bulk', 'apply', plan, '--yes', '--json', '--profile', 'emulator'], {
      env,
    });
    expect(JSON.parse(stdout)).toMatchObject({ done: 2, failed: 0 });
  });

  it('receives webhooks until Ctrl-C', async () => {
    const file = join(awkward(), 'secret');
    writeFileSync(file, `${SECRET}\r\n`, { mode: 0o600 });
    const listener = start(['webhooks', 'listen', '--port', '0', '--secret', `@${named(file)}`]);
    const [url = ''] = (await listener.sees('stdout', '\n')).split('\n');
    const sent = delivery(SECRET);
    expect(await post(url, sent)).toBe(200);
    await listener.sees('stdout', sent.id);
    listener.kill('SIGINT');
    expect(await listener.done).toMatchObject({ code: 0, signal: null });
  });
}
