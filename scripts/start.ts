/** What `npm start` shows after set-up: the main job on the emulator, and what to type next. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const payctl = join(import.meta.dirname, '..', 'bin', 'run.js');
const args = ['buyers', 'list', '--profile', 'emulator', '--limit', '8'];

process.stderr.write(`\n$ payctl ${args.join(' ')}\n`);
const { status } = spawnSync(process.execPath, [payctl, ...args], { stdio: 'inherit' });
process.exitCode = status ?? 1;

if (status === 0) {
  process.stderr.write(`
That was the emulator: the service in small, inside the command. Next:

  npm install --global .                                 makes the command payctl
  payctl --help                                          what there is
  payctl buyers list --profile emulator --all -o csv     every buyer, for a spreadsheet
  payctl buyers list --profile emulator --json | jq .items[0]
  payctl emulator start                                  the same service for your own scripts
`);
}
