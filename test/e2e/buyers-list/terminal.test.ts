import { describe, expect, it } from 'vitest';
import { lines } from '../../harness/lines.ts';
import { printedError } from '../../harness/printed-error.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { against, buyer, page, serveBuyers } from '../paged-service.ts';
import { useEmulator } from '../shared-emulator.ts';

const home = useHome();
useEmulator(home);
const EMULATED = ['buyers', 'list', '--profile', 'emulator', '--limit', '6'];
const LIST = ['buyers', 'list'];
const BOLD = '\u001b[1mID\u001b[22m';

describe('the table on a terminal', () => {
  it.each([80, 160])('fits %i columns', async (columns) => {
    const run = await home.payctl([...EMULATED, '--no-color', '--max-items', '6'], { terminal: { columns } });
    expect(run.stdout).toMatchSnapshot();
    expect(run.stderr.replace(/--cursor[ =]\S+/, '--cursor CURSOR')).toMatchSnapshot();
    expect(run.code).toBe(0);
  });

  it('leaves no column of --columns out, however narrow the terminal', async () => {
    const args = [...EMULATED, '--no-color', '--max-items', '1', '--columns', 'created_at,id'];
    const run = await home.payctl(args, { terminal: { columns: 40 } });
    expect(run.stdout).toBe(
      'CREATED (UTC)      ID\n2025-09-16 22:21Z  ef28fde9-5d24-429e-af7b-494ed25fc77c\n',
    );
    expect(run.stderr).toMatch(/^There are more buyers after this one[^\n]*\n$/);
  });
});

describe('a pager', () => {
  const run = async (pager: Record<string, string>, flags: string[] = []) => {
    const server = await serveBuyers(40);
    const args = [...LIST, '--all', '--columns', 'external_identifier', '--no-color', ...flags];
    return await home.payctl(args, { env: { ...against(server), ...pager }, terminal: { columns: 80 } });
  };
  const rows = lines('EXTERNAL ID', ...Array.from({ length: 40 }, (_, at) => `customer-${at + 1}`));

  it('shows what is longer than the screen: PAYCTL_PAGER before PAGER', async () => {
    const PAGER = 'sed s/^/2:/';
    const shown = await run({ PAYCTL_PAGER: 'sed s/^/1:/', PAGER });
    expect(shown).toMatchObject({ stdout: rows.replace(/^(?=.)/gm, '1:'), stderr: '', code: 0 });
    expect((await run({ PAYCTL_PAGER: '', PAGER })).stdout).toBe(rows.replace(/^(?=.)/gm, '2:'));
    const json = await run({ PAYCTL_PAGER: 'sed s/^/1:/' }, ['-o', 'json']);
    expect(json.stdout).toMatch(/^1:\{\n1: {2}"items": \[\n/);
  });

  it('is not asked for with --no-pager, for a short list, for lines for a program, and in a pipe', async () => {
    const PAYCTL_PAGER = 'sed s/^/1:/';
    expect((await run({ PAYCTL_PAGER }, ['--no-pager'])).stdout).toBe(rows);
    expect((await run({ PAYCTL_PAGER }, ['--max-items', '5'])).stdout).toBe(
      rows.split('\n').slice(0, 6).join('\n').concat('\n'),
    );
    expect((await run({ PAYCTL_PAGER }, ['-o', 'ndjson'])).stdout).not.toContain('1:');
    const server = await serveBuyers(40);
    const piped = await home.payctl([...LIST, '--all'], { env: { ...against(server), PAYCTL_PAGER } });
    expect(piped.stdout).not.toContain('1:');
  });

  it('shows what does not fit the screen together with the note below it', async () => {
    const server = await serveBuyers(40);
    const show = async (limit: number) => {
      const flags = ['--limit', String(limit), '--columns', 'external_identifier', '--no-color'];
      const env = { ...against(server), PAYCTL_PAGER: 'sed s/^/1:/' };
      const terminal = { columns: 80, withStderr: true };
      return (await home.payctl([...LIST, ...flags], { env, terminal })).stdout;
    };
    const page = (count: number) =>
      rows
        .split('\n')
        .slice(0, count + 1)
        .join('\n')
        .concat('\n');
    const note = (count: number) =>
      `There are more buyers after these ${count}. For all pages, add --all. Next page:\npayctl buyers list `;
    expect(await show(22)).toContain(`${page(22).replace(/^(?=.)/gm, '1:')}${note(22)}`);
    expect(await show(20)).toContain(`${page(20)}${note(20)}`);
  });

  it('ends quietly when it is left early', async () => {
    const run = await home.payctl([...LIST, '--all', '--limit', '5', '-o', 'json'], {
      env: { ...against(await serveBuyers(5_000)), PAYCTL_PAGER: 'head -n 1' },
      terminal: { columns: 80 },
    });
    expect(run).toMatchObject({ stdout: '{\n', stderr: '', code: 0 });
  });

  it.each([
    ['TERM', 143],
    ['HUP', 129],
  ])('ends with the run on SIG%s, which ends with %i', async (name, code) => {
    const shown = await run({ PAYCTL_PAGER: `kill -${name} $PPID; sleep 0.5; kill -9 $$` });
    const whole = 'printed the whole list, 1 page (40 items), before the interruption';
    expect(shown).toMatchObject({ stderr: `Error: Interrupted; ${whole} (aborted)\n`, code });
  });

  it.each([
    ['after its pages', ['--limit', '30'], {}, 30],
    ['while it waits for a page', ['--all', '--limit', '15', '-o', 'markdown'], { 3: () => {} }, 30],
  ])(
    'that is ended by a signal %s leaves the command that fetches the rest',
    async (_, flags, instead, count) => {
      const server = await serveBuyers(40, instead);
      const args = [...LIST, '--columns', 'external_identifier', '--no-color', ...flags];
      const PAYCTL_PAGER = 'head -n 25; sleep 0.5; kill -TERM $PPID; sleep 9';
      const env = { ...against(server), PAYCTL_PAGER };
      const shown = await home.payctl(args, { env, terminal: { columns: 80 } });
      expect(shown.code).toBe(143);
      const { code, message, resume = [] } = printedError(shown.stderr);
      expect({ code, message }).toEqual({
        code: 'aborted',
        message: expect.stringContaining(`(${count} items)`),
      });
      expect(resume).toEqual([
        expect.stringMatching(new RegExp(`^payctl buyers list .*--cursor from-${count}$`)),
      ]);
    },
  );

  it('that fails costs a warning and nothing else', async () => {
    const shown = await run({ PAYCTL_PAGER: 'payctl-no-such-pager 2>/dev/null' });
    expect(shown).toMatchObject({
      stdout: rows,
      stderr: 'The pager "payctl-no-such-pager 2>/dev/null" failed: exit code 127\n',
      code: 0,
    });
  });
});

describe('what is said on a terminal', () => {
  it('is broken between words, but no command', async () => {
    const terminal = { columns: 40, withStderr: true };
    const env = { PAYCTL_BASE_URL: 'http://127.0.0.1:1', PAYCTL_TOKEN: 'opaque', NO_COLOR: '1' };
    const flags = ['--max-retries', '0', '--merchant-account', 'an-account-with-a-long-name'];
    const run = await home.payctl([...LIST, ...flags], { env, terminal });
    expect(run).toMatchObject({ code: 9 });
    expect(run.stdout).toBe(
      lines(
        'Error: No response from',
        'http://127.0.0.1:1: the connection was',
        'refused (ECONNREFUSED)',
        '(connection_refused)',
        'Request: GET http://127.0.0.1:1/buyers,',
        'merchant account',
        'an-account-with-a-long-name',
        'Likely cause: nothing is listening at',
        'this address; the base URL comes from',
        'PAYCTL_BASE_URL',
        'Try:',
        'payctl doctor --merchant-account an-account-with-a-long-name',
      ),
    );
  });
});

describe('progress', () => {
  it('shows on a terminal after a second and leaves no trace', async () => {
    const server = await serveBuyers(4, {
      2: (_, response) => {
        const answer = JSON.stringify(page([buyer(3), buyer(4)]));
        setTimeout(() => response.end(answer), 1_400);
      },
    });
    const args = [...LIST, '--all', '--limit', '2', '-o', 'ndjson', '--columns', 'id', '--no-color'];
    const terminal = { columns: 80, withStderr: true };
    const run = await home.payctl(args, { env: against(server), terminal });
    const drawn = run.stdout.split('\r\u001b[2K');
    expect(drawn.at(1)).toMatch(/^2 items, 1 page, 2 items\/s, 1 s$/);
    expect(drawn.at(-1)).toBe(`{"id":"${buyer(3).id}"}\n{"id":"${buyer(4).id}"}\n`);
    expect(run.code).toBe(0);
  });
});

describe('colour', () => {
  const row = async (env: Record<string, string>, flags: string[] = [], terminal?: { columns: number }) => {
    const args = [...EMULATED, '--max-items', '1', '--columns', 'id', ...flags];
    const run = await home.payctl(args, { env, ...(terminal ? { terminal } : {}) });
    return run.stdout.split('\n')[0];
  };

  it('is on a terminal, and off with --no-color, NO_COLOR or a dumb terminal', async () => {
    const terminal = { columns: 80 };
    expect(await row({}, [], terminal)).toBe(BOLD);
    expect(await row({}, ['--no-color'], terminal)).toBe('ID');
    expect(await row({ NO_COLOR: '1' }, [], terminal)).toBe('ID');
    expect(await row({ NO_COLOR: '' }, [], terminal)).toBe(BOLD);
    expect(await row({ TERM: 'dumb' }, [], terminal)).toBe('ID');
    expect(await row({ NO_COLOR: '1', FORCE_COLOR: '1' }, [], terminal)).toBe('ID');
  });

  it('is off in a pipe; FORCE_COLOR colours errors there, and never the data', async () => {
    expect(await row({})).toBe('ID');
    expect(await row({ FORCE_COLOR: '1' })).toBe('ID');
    const error = async (env: Record<string, string>, ...flags: string[]) =>
      (await home.payctl(['buyers', 'lst', ...flags], { env })).stderr.split('\n')[0];
    const plain = (await error({})) ?? '';
    expect(plain).toMatch(/^Error: .*"buyers lst" \(unknown_command\)$/);
    expect(await error({ FORCE_COLOR: '1' })).toBe(
      plain.replace('Error:', '\u001b[31m\u001b[1mError:\u001b[22m\u001b[39m'),
    );
    expect(await error({ FORCE_COLOR: '1' }, '--no-color')).toBe(plain);
    expect(await error({ FORCE_COLOR: '0' })).toBe(plain);
  });

  it('is decided for stderr apart: a terminal for data leaves an error in a file plain', async () => {
    const run = await home.payctl(['buyers', 'lst'], { terminal: { columns: 80 } });
    expect(run.stderr).toMatch(/^Error: [^\n]*\(unknown_command\)\n[^\n]+\n$/);
    expect(run.stderr).not.toContain('\u001b');
    expect(run.code).toBe(2);
  });
});
