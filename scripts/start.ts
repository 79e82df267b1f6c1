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
This list came from the emulator, a local copy of the API that ran inside the command. Next:

  npm install --global .                                 install the command payctl
  payctl --help                                          list the commands
  payctl buyers list --profile emulator --all -o csv     export every buyer for a spreadsheet
  payctl buyers list --profile emulator --json | jq '.items[0]'
  payctl emulator start                                  serve the same API to your own scripts
`);
}
