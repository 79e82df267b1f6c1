import { string } from '@oclif/core/args';
import { BaseCommand } from '../cli/base-command.ts';
import { COMPLETION_SCRIPTS, readShell, SHELLS } from '../features/completion/scripts.ts';

export default class Completion extends BaseCommand {
  static override readonly summary = 'Print the script that lets a shell complete payctl.';

  static override readonly description =
    `The tab key then completes commands, flags and their values, profiles and columns.

bash, in ~/.bashrc:

  eval "$(payctl completion bash)"

zsh, in ~/.zshrc:

  source <(payctl completion zsh)

or, which starts faster, in a directory of fpath that is named there before compinit:

  payctl completion zsh > ~/.zfunc/_payctl

fish, once:

  payctl completion fish > ~/.config/fish/completions/payctl.fish

PowerShell, in the file that $PROFILE names:

  payctl completion powershell | Out-String | Invoke-Expression`;

  static override readonly args = {
    shell: string({
      required: true,
      options: [...SHELLS],
      description: 'The shell.',
      ignoreStdin: true,
    }),
  };

  static override readonly examples = [
    { description: 'Load it into the bash of this session:', command: 'eval "$(payctl completion bash)"' },
    { description: 'Print the script:', command: 'payctl completion zsh' },
  ];

  async run(): Promise<void> {
    // The parser of the arguments would refuse a shell without saying which is near.
    const { args, flags } = await this.parse({
      baseFlags: Completion.baseFlags,
      args: { shell: string({ ignoreStdin: true }) },
    });
    const shell = readShell(args.shell);
    const script = COMPLETION_SCRIPTS[shell];
    const format = flags.json ? 'json' : (flags.output ?? 'table');
    if (format !== 'table') return await this.openDisplay(flags).showRecord({ shell, script });
    // Nothing of the configuration is asked for: a shell must start even when that is damaged.
    await this.runtime.stdout.write(script);
  }
}
