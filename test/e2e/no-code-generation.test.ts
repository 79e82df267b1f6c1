import { describe, expect, it } from 'vitest';
import { freshHome } from '../harness/run-payctl.ts';

/** Hardened set-ups forbid `eval` and the like to every Node program. */
const env = { NODE_OPTIONS: '--disallow-code-generation-from-strings' };
const EMULATOR = ['--profile', 'emulator'];

describe('where Node may compile no code at run time', () => {
  it('writes, filters, prints and serves as anywhere else', async () => {
    const home = freshHome();
    const run = (...args: string[]) => home.payctl([...args, ...EMULATOR, '-q'], { env });
    const { stdout, code } = await run('buyers', 'list', '--limit', '1', '--jq', '.items[0].id');
    expect(code).toBe(0);
    const create = ['buyers', 'shipping-details', 'create', stdout.trim(), '--city', 'Oslo'];
    const created = await run(...create, '-o', 'yaml');
    expect(created).toMatchObject({ stderr: '', code: 0 });
    expect(created.stdout).toContain('type: shipping-details');
    const wrong = await run(...create, '--phone-number', '1', '--json');
    expect(JSON.parse(wrong.stderr).error).toMatchObject({ code: 'bad_body', exit_code: 2 });
    const refused = await run(...create, '--state-code', 'Oslo', '--json');
    expect(JSON.parse(refused.stderr).error).toMatchObject({ status: 400, exit_code: 6 });
    expect(await run('buyers', 'list', '--limit', '1', '-o', 'table')).toMatchObject({ code: 0 });
  });

  it('changes profiles and runs doctor', async () => {
    const home = freshHome();
    const set = ['profiles', 'set', 'acme', '--base-url', 'https://api.example.com', '-q'];
    expect(await home.payctl(set, { env })).toMatchObject({ stderr: '', code: 0 });
    expect(await home.payctl(['doctor', ...EMULATOR, '-q'], { env })).toMatchObject({ stderr: '', code: 0 });
  });
});
