import { describe, expect, it } from 'vitest';
import { runInProcess } from '../../commands/run-in-process.ts';

const run = (argv: readonly string[]) => runInProcess(argv, { env: { NO_COLOR: '1' } });

describe('a command line that names no command', () => {
  it.each([
    [['byers', 'list'], 'Unknown command "byers list" (unknown_command)', 'Did you mean: payctl buyers list'],
    [['nonsense'], 'Unknown command "nonsense" (unknown_command)', 'List the commands: payctl --help'],
    [
      ['--limit=5', 'buyers', 'list'],
      'The flag --limit must come after the command (flag_first)',
      'A command comes first. List the commands: payctl --help',
    ],
    [
      ['--porfile', 'acme', 'buyers', 'list'],
      'The flag --porfile must come after the command (flag_first)',
      'Did you mean --profile?',
    ],
    [
      ['-v', '--profile'],
      '--profile needs a value (bad_flag)',
      'A command follows the value of --profile. List the commands: payctl --help',
    ],
    [
      ['emulator', '-o', 'table'],
      'payctl emulator needs a command (no_verb)',
      'List its commands: payctl emulator --help',
    ],
    [
      ['transactions', 'list', '--profile', 'emulator'],
      'Unknown command "transactions list" (unknown_command)',
      'For the commands of more endpoints, import the API description of the service.\n' +
        'Try: payctl api import FILE --profile emulator\nTry: payctl api get PATH\nTry: payctl --help',
    ],
  ])('ends with 2 and says how to put it right: %j', async (argv, message, hint) => {
    expect(await run(argv)).toEqual({ stdout: '', stderr: `Error: ${message}\n${hint}\n`, code: 2 });
  });
});

describe('--version', () => {
  it('prints the version, the platform and the runtime', async () => {
    const { stdout, code } = await run(['--version']);
    expect(stdout).toBe(`payctl/0.0.0 ${process.platform}-${process.arch} node-${process.version}\n`);
    expect(code).toBe(0);
  });
});
