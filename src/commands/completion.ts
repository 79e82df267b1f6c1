import { BaseCommand } from '../cli/base-command.ts';
import { argument, optionalArgument } from '../cli/flags/arguments.ts';
import { COMPLETION_SCRIPTS, readShell, SHELLS } from '../features/completion/scripts.ts';
import { FORMATS } from '../output/formats.ts';

export default class Completion extends BaseCommand {
  static override readonly summary = 'Print a shell completion script.';

  static override readonly description =
    `With it, the Tab key completes commands, flags and their values, profiles and columns.

bash, in ~/.bashrc:

  eval "$(payctl completion bash)"

zsh, in ~/.zshrc:

  source <(payctl completion zsh)

or, for a faster start, in a directory that ~/.zshrc adds to fpath before it runs compinit:

  payctl completion zsh > ~/.zfunc/_payctl

fish, run once:

  payctl completion fish > ~/.config/fish/completions/payctl.fish

PowerShell, in your profile ($PROFILE):

  payctl completion powershell | Out-String | Invoke-Expression`;

  static override readonly args = {
    shell: argument('Name of the shell.', { options: [...SHELLS] }),
  };

  static override readonly examples = [
    {
      description: 'Enable completion in the current bash session:',
      command: 'eval "$(payctl completion bash)"',
    },
    { description: 'Print the script:', command: 'payctl completion zsh' },
  ];

  async run(): Promise<void> {
    // The parser of the arguments would refuse a shell without saying which is near.
    const { args, flags } = await this.parse({
      baseFlags: Completion.baseFlags,
      args: { shell: optionalArgument() },
    });
    const shell = readShell(args.shell);
    const script = COMPLETION_SCRIPTS[shell];
    const format = FORMATS[flags.json ? 'json' : (flags.output ?? 'table')];
    if (!format.isForPeople) return await this.openDisplay(flags).showRecord({ shell, script });
    // Nothing of the configuration is asked for: a shell must start even when that is damaged.
    await this.runtime.stdout.write(script);
  }
}
