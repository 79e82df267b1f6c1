import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { freshHome } from '../../harness/run-payctl.ts';

/** A home whose profile emulator has the sample imported. */
async function homeWithImport() {
  const home = freshHome();
  const file = join(home.path, 'payments.json');
  writeFileSync(file, JSON.stringify(sample));
  const run = await home.payctl(['api', 'import', file, '--profile', 'emulator', '-q']);
  expect(run).toMatchObject({ code: 0 });
  return home;
}

describe('a command of the description of another profile', () => {
  it.each([
    [['transactions', 'list', '--status', 'authorized'], 'transactions list'],
    [['transactions', 'refunds'], 'transactions refunds'],
    [['help', 'transactions'], 'transactions'],
  ])('is found by the profile that has it: %j', async (args, words) => {
    const home = await homeWithImport();
    expect(await home.payctl(args)).toMatchObject({
      stdout: '',
      stderr: `Error: Unknown command "${words}" (unknown_command)\nThe API description of the profile emulator has it: add --profile emulator.\n`,
      code: 2,
    });
  });

  it('is named by a search of the help as not searched', async () => {
    const home = await homeWithImport();
    const hint = 'The API description of the profile emulator was not searched: add --profile emulator.\n';
    const text = await home.payctl(['help', '--search', 'gift', 'cards']);
    expect(text).toMatchObject({ stdout: expect.stringContaining(`\n${hint}`), stderr: '', code: 0 });
    expect(await home.payctl(['help', '--search', 'zeppelins'])).toMatchObject({
      stdout: '',
      stderr: `The help has nothing about "zeppelins".\n${hint}`,
    });
    const terminal = { columns: 50, withStderr: true };
    const broken = 'The API description of the profile emulator was\nnot searched: add --profile emulator.\n';
    for (const word of ['gift-cards', 'zeppelins']) {
      const { stdout } = await home.payctl(['help', '--search', word], { terminal });
      expect(stdout.endsWith(`\n${broken}`)).toBe(true);
    }
    const search = async (...flags: readonly string[]) => {
      const { stdout } = await home.payctl(['help', '--search', 'transactions', '--json', ...flags]);
      const { results, not_searched } = JSON.parse(stdout);
      const commands = results.map(({ name }: { name: string }) => name);
      return { found: commands.includes('transactions list'), not_searched };
    };
    expect(await search()).toEqual({ found: false, not_searched: ['emulator'] });
    expect(await search('--profile', 'emulator')).toEqual({ found: true });
  });

  const create = ['transactions', 'create', '--profile', 'emulator', '-F', 'amount=10', '-F', 'currency=EUR'];

  async function dryRun(...args: readonly string[]) {
    const home = await homeWithImport();
    return await home.payctl([...create, ...args, '--dry-run']);
  }

  it('refuses a member of a body that is almost one of the description', async () => {
    expect(await dryRun('-F', 'amout=2')).toMatchObject({
      stdout: '',
      stderr:
        'Error: The request body has the field /amout, which is not in the description (bad_body)\n' +
        'Nothing was sent. Did you mean amount? --no-validate sends it anyway.\n',
      code: 2,
    });
    expect(await dryRun('-F', 'amout=2', '--no-validate', '-q')).toMatchObject({ stderr: '', code: 0 });
  });

  it('warns of any other member that the description does not know', async () => {
    expect(await dryRun('-F', 'loyalty=2')).toMatchObject({
      stderr: 'The request body has the field /loyalty, which is not in the description; it is sent as is.\n',
      code: 0,
    });
  });

  it('refuses a field that is given twice', async () => {
    expect(await dryRun('-F', 'amount=20')).toMatchObject({
      stdout: '',
      stderr:
        'Error: --field amount is given twice (bad_field)\n' +
        'Set it once. To add elements to a list, use amount[]=VALUE.\n',
      code: 2,
    });
  });

  it('prints the page of an operation that api call names', async () => {
    const home = await homeWithImport();
    const help = await home.payctl(['api', 'call', 'capture_transaction', '--help', '--profile', 'emulator']);
    expect(help).toMatchObject({ stderr: '', code: 0 });
    expect(help.stdout).toContain('Usage: payctl api call capture_transaction TRANSACTION_ID [FLAGS]');
  });
});
