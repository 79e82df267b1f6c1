import { describe, expect, it } from 'vitest';
import type { Handler } from '../../harness/http-server.ts';
import { failed, succeeded } from '../../harness/outcome.ts';
import { printedError } from '../../harness/printed-error.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { against, buyer, page, serve, serveBuyers } from '../paged-service.ts';

const home = useHome();
const TORN =
  /^Cannot write to standard output: the file would be too large; printed (\d+) pages \((\d+) items\) before the error$/;
const KEEP = /^Keep only the first (\d+) lines of the output, and append the output of the resume command\.$/;

/** What the last line of stderr says with ndjson. */
function resumed(stderr: string) {
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
  return { code: error.code, message: error.message, resume: [error.resume_command], hints: [error.hint] };
}

const AGAIN = 'The output is incomplete. Correct this, and run the command again.';
const FULL = `Error: Cannot write to standard output: the disk is full (ENOSPC)\n${AGAIN}\n`;

describe('a full disk under stdout', () => {
  it.each([
    'buyers list',
    'buyers list -o yaml',
    'buyers list --jq .items -o csv',
    'buyers list --all -o csv',
    'buyers list --all --limit 100',
    'profiles list',
    '--version',
    '--help',
  ])('exits with 1 and says so in words: %s', async (line) => {
    const server = await serveBuyers(250);
    const run = await home.shell(`$PAYCTL ${line} > /dev/full`, { env: against(server) });
    // Cut: a crash would print the whole bundle.
    const stderr = run.stderr.slice(0, 200);
    expect({ ...run, stderr }).toEqual({ stdout: '', stderr: FULL, code: 1, signal: null });
  });

  // A shell that limits the size of files stands for a disk that has room for the first pages only.
  it.runIf(process.platform === 'linux').each(['ndjson', 'csv', 'table'])(
    'says which lines are whole, and the command whose output completes them: -o %s',
    async (format) => {
      const server = await serveBuyers(200);
      const list = `buyers list --all --limit 10 -o ${format}`;
      const line = `(ulimit -f 16; $PAYCTL ${list} > out); code=$?; cat out; exit $code`;
      const options = { env: against(server), cwd: home.path };
      const run = await home.shell(line, options);
      const { code, message, resume, hints } =
        format === 'ndjson' ? resumed(run.stderr) : printedError(run.stderr);
      const [, pages = '', items = ''] = TORN.exec(message) ?? [];
      const header = format === 'ndjson' ? '' : '--no-header ';
      expect({ code, status: run.code, resume }).toEqual({
        code: 'EFBIG',
        status: 1,
        resume: [`payctl ${list} ${header}--cursor from-${items}`],
      });
      expect(Number(items)).toBe(10 * Number(pages));
      const [, kept = ''] = KEEP.exec(hints?.[0] ?? '') ?? [];
      expect(Number(kept)).toBe(Number(items) + (header === '' ? 0 : 1));
      // As the error says.
      const rest = String(resume?.[0]).replace('payctl', '$PAYCTL');
      const completed = await home.shell(`head -n ${kept} out; ${rest}`, options);
      const whole = await home.shell(`$PAYCTL ${list}`, options);
      expect(completed.stdout).toBe(whole.stdout);
    },
  );

  it.runIf(process.platform === 'linux')('keeps a change from being made twice', async () => {
    const server = await serve((_, response) => void response.writeHead(201).end('{"id":"sd-1"}'));
    const create = '$PAYCTL buyers shipping-details create b-1 --first-name Ada > /dev/full';
    const run = await home.shell(create, { env: against(server) });
    expect(run).toMatchObject({
      stderr:
        'Error: Cannot write to standard output: the disk is full (ENOSPC)\n' +
        'Outcome: done; the service processed this request. Do not send it again.\n' +
        'ID: sd-1\n',
      code: 1,
    });
  });

  it.runIf(process.platform === 'linux')(
    'fails where the last bytes of a document are not written',
    async () => {
      const server = await serveBuyers(100);
      const run = await home.shell('ulimit -f 1; $PAYCTL buyers list -o json > out', {
        env: against(server),
        cwd: home.path,
      });
      expect(run).toEqual(
        failed(
          1,
          `{"error":{"code":"EFBIG","message":"Cannot write to standard output: the file would be too large","details":[],"hint":"${AGAIN}","exit_code":1}}`,
        ),
      );
    },
  );

  it('stops the fetching of pages', async () => {
    const server = await serveBuyers(100_000);
    const run = await home.shell('$PAYCTL buyers list --all -o ndjson > /dev/full', { env: against(server) });
    expect(run.code).toBe(1);
    expect(server.requests.length).toBeLessThan(10);
  });
});

describe.runIf(process.platform === 'linux')('a closed stdout', () => {
  const CLOSED = `Error: Cannot write to standard output: it is closed (EBADF)\n${AGAIN}\n`;
  // Without a second command the shell would be replaced by payctl, and nobody could tell who closed stdout.
  const closed = (line: string) => `$PAYCTL ${line} >&-; exit $?`;

  it.each(['buyers list', 'buyers list --jq .', '--version', '--help', 'profiles list'])(
    'exits with 1 and says so: %s',
    async (line) => {
      const server = await serveBuyers(250);
      const run = await home.shell(closed(line), { env: against(server) });
      expect(run).toEqual({ stdout: '', stderr: CLOSED, code: 1, signal: null });
    },
  );

  it('does not matter to an error, nor to a closed stderr beside it', async () => {
    expect(await home.shell(closed('buyers lst'))).toMatchObject({ code: 2, stdout: '' });
    const server = await serveBuyers(1);
    const run = await home.shell('$PAYCTL buyers list >&- 2>&-; exit $?', { env: against(server) });
    expect(run).toEqual({ stdout: '', stderr: '', code: 1, signal: null });
  });

  it('is noticed in a script that was started with a closed stdout', async () => {
    const server = await serveBuyers(1);
    const run = await home.shell('(true; $PAYCTL buyers list; exit $?) >&-; exit $?', {
      env: against(server),
    });
    expect(run).toEqual({ stdout: '', stderr: CLOSED, code: 1, signal: null });
  });

  it('is not one that is discarded, by a shell or by another program', async () => {
    const server = await serveBuyers(1);
    const done = succeeded('');
    const env = against(server);
    expect(await home.shell('$PAYCTL buyers list --columns id >/dev/null; exit $?', { env })).toEqual(done);
    const ignore = `require("child_process").spawn(process.execPath, process.argv.slice(1), { stdio: ["ignore", "ignore", "inherit"] }).on("exit", (code) => { process.exitCode = code })`;
    const line = `${process.execPath} -e '${ignore}' $\{PAYCTL#* } buyers list --columns id; exit $?`;
    expect(await home.shell(line, { env })).toEqual(done);
    expect(await home.shell(`(${line.replace('; exit $?', '')}; true) >/dev/null; exit $?`, { env })).toEqual(
      done,
    );
  });
});

describe('a reader that goes away', () => {
  it('ends a long run at once with 0, and no further page is fetched', async () => {
    const server = await serveBuyers(100_000);
    const line = '$PAYCTL buyers list --all -o ndjson --columns external_identifier | head -1';
    const run = await home.shell(line, { env: against(server) });
    expect(run).toEqual(succeeded('{"external_identifier":"customer-1"}\n'));
    expect(server.requests.length).toBeLessThan(10);
  });

  it('ends a run that waits for an answer', async () => {
    // The end of a pipe's reader is noticed with the next write: the second page comes when that reader has left.
    const late: Handler = (_, response) => {
      const text = JSON.stringify(page([buyer(101)], { next: 'from-101' }));
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(text), 500);
    };
    const server = await serveBuyers(100_000, { 2: late, 3: () => {} });
    const line = '$PAYCTL buyers list --all -o csv --columns id | head -2';
    const run = await home.shell(line, { env: against(server) });
    expect(run).toEqual(succeeded('id\r\n00000000-0000-4000-8000-000000000001\r\n'));
  });
});

describe('a stderr that cannot be written', () => {
  it('changes neither the data nor the exit code when it is closed', async () => {
    const server = await serveBuyers(1);
    const line = '$PAYCTL buyers list -o csv --columns external_identifier -v';
    const run = await home.shell(`${line} 2>&-`, { env: against(server) });
    expect(run).toEqual(succeeded('external_identifier\r\ncustomer-1\r\n'));
    const failed = await home.shell('$PAYCTL buyers lst 2>&-');
    expect(failed).toEqual({ stdout: '', stderr: '', code: 2, signal: null });
  });

  it('does not change the exit code of an error when its disk is full', async () => {
    const run = await home.shell('$PAYCTL buyers lst 2>/dev/full');
    expect(run).toEqual({ stdout: '', stderr: '', code: 2, signal: null });
  });

  it('does not keep the data back when its disk is full', async () => {
    const server = await serveBuyers(1);
    const line = '$PAYCTL buyers list -o csv --columns external_identifier -v 2>/dev/full';
    const run = await home.shell(line, { env: against(server) });
    expect(run).toEqual(succeeded('external_identifier\r\ncustomer-1\r\n'));
  });

  it('does not keep an error from its exit code when its reader has closed it', async () => {
    const server = await serve((_, response) => void response.writeHead(404).end());
    const line = '$PAYCTL buyers list 2>&1 >/dev/null | true';
    const run = await home.shell(line, { env: against(server) });
    expect(run).toEqual({ stdout: '', stderr: '', code: 5, signal: null });
  });
});
