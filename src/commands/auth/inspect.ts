import { string } from '@oclif/core/args';
import { inspectToken } from '../../auth/inspect-token.ts';
import { openToken } from '../../auth/open-token.ts';
import { judgeCommands } from '../../cli/auth/command-verdicts.ts';
import { readOwnKey } from '../../cli/auth/own-key.ts';
import { showInspection } from '../../cli/auth/show-inspection.ts';
import { readTokenInput, refuseTokenArguments } from '../../cli/auth/token-input.ts';
import { BaseCommand } from '../../cli/base-command.ts';
import { inWords } from '../../cli/duration-words.ts';
import { connectionFlags } from '../../cli/flags/global-flags.ts';
import { recordFlags } from '../../cli/flags/list-flags.ts';
import { scopes as knownScopes } from '../../contract/operations.ts';

export default class AuthInspect extends BaseCommand {
  static override readonly summary =
    'Look into a token: claims, times, what is wrong with it, what it is good for.';

  static override readonly description =
    `Reads any JWT from a file or standard input, with or without "Bearer" in front of it. Nothing is sent anywhere, and the
signature is neither verified nor printed. A token with faults is no error: -o json lists them under "faults".`;

  static override readonly args = {
    file: string({ description: 'File that holds the token; standard input without it.', ignoreStdin: true }),
  };

  static override readonly flags = { profile: connectionFlags().profile, ...recordFlags() };

  static override readonly examples = [
    {
      description: 'Look into a token that payctl mints:',
      command: 'payctl auth token --scope buyers.read --profile emulator --quiet | payctl auth inspect',
    },
    {
      description: 'List the codes of what is wrong with it, for a script:',
      command:
        "payctl auth token --scope '*' --profile emulator --quiet | payctl auth inspect --jq '.faults[].code'",
    },
  ];

  async run(): Promise<void> {
    refuseTokenArguments(this.argv);
    const { args, flags } = await this.parse(AuthInspect);
    const { settings, display } = this.openSession(flags);
    const text = await readTokenInput(args.file, this.runtime);
    display.hide(text);
    const token = openToken(text);
    const now = new Date();
    const ownKey = await readOwnKey({ settings, display, runtime: this.runtime });
    const faults = inspectToken({ ...token, now, ownKey, knownScopes, inWords });
    const verdicts = judgeCommands(token.content.scopes);
    await showInspection({ token, now, faults, verdicts }, display, flags);
  }
}
