import { describe, expect, it } from 'vitest';
import { printedError, WORDS } from '../../harness/printed-error.ts';
import { quickHomes } from '../quick-homes.ts';
import { useEmulator } from '../shared-emulator.ts';

const { useHome } = quickHomes();

const home = useHome();
const emulator = useEmulator(home, { buyers: 430 });
const LIST = ['buyers', 'list', '--profile', 'emulator'];
/** What is said where personal data is masked. */
const MASKED =
  '{"warning":{"code":"personal_data_masked","message":"Personal data is masked. Add --reveal-pii to show it."}}\n';

/** The rows of the running emulator's own database. */
function stored(where = ''): Record<string, unknown>[] {
  const sql = `SELECT document FROM buyers WHERE merchant_account_id = 'default' ${where}`;
  const rows = emulator().database.prepare(sql).all();
  return rows.map((row) => JSON.parse(String(row.document)) as Record<string, unknown>);
}

async function listed(...flags: string[]): Promise<Record<string, unknown>[]> {
  const run = await home.payctl([...LIST, '--all', '-o', 'ndjson', ...flags]);
  expect(run.code).toBe(0);
  expect(run.stderr.replace(MASKED, '')).toBe('');
  return run.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

describe('buyers list on a running emulator', () => {
  it('exports every buyer of the merchant account once with --all', async () => {
    const ids = (await listed()).map(({ id }) => id);
    const expected = stored().map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(300);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(expected.toSorted());
  });

  it('acts for the merchant account of -m', async () => {
    const ids = (await listed('-m', 'outlet')).map(({ merchant_account_id: account }) => account);
    expect(new Set(ids)).toEqual(new Set(['outlet']));
    expect(ids.length + stored().length).toBe(430);
  });

  it('gives jq what it can read', async () => {
    const run = await home.shell(
      `$PAYCTL ${LIST.join(' ')} --json | ${process.execPath} -p 'JSON.parse(require("fs").readFileSync(0)).items.length'`,
    );
    expect(run).toMatchObject({ stdout: '20\n', code: 0, signal: null });
    const [masked, cut, ...others] = run.stderr.split('\n');
    expect(`${masked}\n`).toBe(MASKED);
    expect(JSON.parse(cut ?? '')).toMatchObject({ warning: { code: 'list_cut' } });
    expect(others).toEqual(['']);
  });

  it('reports a refused cursor with its details, and the emulator keeps it as an API log', async () => {
    const run = await home.payctl([...LIST, '--cursor', 'made-up']);
    expect(run.code).toBe(6);
    expect(printedError(run.stderr)).toMatchObject({
      code: 'bad_request',
      status: 400,
      details: [expect.stringMatching(/^query \/cursor: .* \(value_error\.cursor\)$/)],
    });
    const logs = emulator().database.prepare('SELECT document FROM api_logs').all();
    expect(logs.map((row) => JSON.parse(String(row.document)).response_status_code)).toContain(400);
  });

  it('takes credentials of the environment over those of the active profile', async () => {
    const env = { PAYCTL_PROFILE: 'emulator', PAYCTL_TOKEN: 'not-a-token-of-the-emulator' };
    const run = await home.payctl(['buyers', 'list'], { env });
    expect(run.code).toBe(3);
    expect(printedError(run.stderr)).toMatchObject({
      status: 401,
      causes: [expect.stringContaining('PAYCTL_TOKEN')],
      commands: ['payctl doctor', 'payctl api-logs list --status 401'],
    });
  });

  it('says so when a base URL wins over the profile', async () => {
    const run = await home.payctl([...LIST, '--limit', '1', '--base-url', emulator().baseUrl]);
    expect(run).toMatchObject({ stdout: '', code: 3, signal: null });
    const error = printedError(run.stderr);
    expect(error).toEqual({
      before: [expect.stringContaining('--base-url')],
      code: 'no_credentials',
      message: WORDS,
      hints: [expect.stringMatching(/^Remove --base-url to use it, or set PAYCTL_TOKEN, /)],
    });
    expect(error.before?.[0]).toContain(emulator().baseUrl);
  });
});
