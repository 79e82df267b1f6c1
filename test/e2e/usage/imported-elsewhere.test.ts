import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { freshHome } from '../../harness/run-payctl.ts';

describe('a command of the description of another profile', () => {
  it.each([
    [['transactions', 'list', '--status', 'authorized'], 'transactions list'],
    [['transactions', 'refunds'], 'transactions refunds'],
    [['help', 'transactions'], 'transactions'],
  ])('is found by the profile that has it: %j', async (args, words) => {
    const home = freshHome();
    const file = join(home.path, 'payments.json');
    writeFileSync(file, JSON.stringify(sample));
    expect(await home.payctl(['api', 'import', file, '--profile', 'emulator', '-q'])).toMatchObject({
      code: 0,
    });
    expect(await home.payctl(args)).toMatchObject({
      stdout: '',
      stderr: `Error: Unknown command "${words}" (unknown_command)\nThe API description of the profile emulator has it: add --profile emulator.\n`,
      code: 2,
    });
  });

  it('warns of a member of a body that the description does not know, and sends nothing with --dry-run', async () => {
    const home = freshHome();
    const file = join(home.path, 'payments.json');
    writeFileSync(file, JSON.stringify(sample));
    await home.payctl(['api', 'import', file, '--profile', 'emulator', '-q']);
    const create = [
      'transactions',
      'create',
      '--profile',
      'emulator',
      '-F',
      'amount=10',
      '-F',
      'currency=EUR',
    ];
    const run = await home.payctl([...create, '-F', 'amout=2', '--dry-run']);
    expect(run).toMatchObject({
      stderr:
        'The request body has the member /amout, which the description does not know; it is sent as it is. Did you mean amount?\n',
      code: 0,
    });
  });
});
