import { load } from './inside.ts';

// The first code of the executable: what bin/run.js is for the package from the registry.
const argv = process.argv.slice(2);
// On Windows oclif would start a PowerShell to find out which shell this is.
if (process.platform === 'win32') process.env.SHELL ??= process.env.COMSPEC ?? 'cmd.exe';
void start();

async function start(): Promise<void> {
  if (argv[0] === '__complete') {
    if (await (load('complete.cjs') as typeof import('../complete.ts')).printCompletion(argv)) return;
  } else if (argv.join(' ') === 'profiles show --jq .name') {
    if (await (load('profile-name.cjs') as typeof import('../profile-name.ts')).printProfileName()) return;
  } else if (asksForHelp(argv)) {
    if (await (load('help.cjs') as typeof import('../help.ts')).printHelp(argv)) return;
  }
  await (load('main.cjs') as typeof import('../main.ts')).main();
}

/** Whether this may be a request for help, which has a program of its own that starts faster. */
function asksForHelp([first = 'help', ...rest]: readonly string[]): boolean {
  return first === 'help' || [first, ...rest].some((word) => word === '--help' || word === '-h');
}
