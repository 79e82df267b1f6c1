import { BaseCommand } from '../../cli/base-command.ts';
import { optionalArgument } from '../../cli/flags/arguments.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { commandAccess } from '../../cli/routing/catalog/allowed-commands.ts';
import { operationAccess } from '../../cli/routing/catalog/allowed-operations.ts';
import { mayBeImported } from '../../cli/routing/may-be-imported.ts';
import { scopes as knownScopes } from '../../contract/generated/operations.ts';
import { INSPECTION_COLUMNS, readOwnKey, showInspection } from '../../features/auth/inspect.ts';
import { readTokenInput, refuseTokenArguments } from '../../features/auth/token-input.ts';
import { openToken } from '../../tokens/claims.ts';
import { lintToken } from '../../tokens/lint.ts';

export default class AuthInspect extends BaseCommand {
  static override readonly summary =
    'Decode a token and show its claims, its problems and the commands it allows.';

  static override readonly description =
    `Reads any JWT from a file or standard input, with or without a leading "Bearer". Sends nothing, and does not
verify or print the signature. The exit code is 0 even if the token has problems; -o json lists them in "errors".`;

  static override readonly args = {
    file: optionalArgument('File that contains the token. Default: standard input.'),
  };

  static override readonly columns = INSPECTION_COLUMNS;

  static override readonly flags = { ...recordFlags() };

  static override readonly examples = [
    {
      description: 'Inspect a token that payctl signed:',
      command: 'payctl auth token --scope buyers.read --profile emulator --quiet | payctl auth inspect',
    },
    {
      description: 'List the codes of its errors and warnings, for a script:',
      command:
        "payctl auth token --scope '*' --profile emulator --quiet | payctl auth inspect --jq '.errors[].code'",
    },
  ];

  async run(): Promise<void> {
    refuseTokenArguments(this.argv);
    const { args, flags } = await this.parse(AuthInspect);
    const { settings, display } = this.openSession(flags);
    const text = await readTokenInput(args.file, this.runtime);
    display.addSecret(text);
    const token = openToken(text);
    const now = new Date();
    const ownKey = await readOwnKey({ settings, display, runtime: this.runtime });
    const issues = lintToken({ ...token, now, ownKey, knownScopes });
    const commands = commandAccess(token.content.scopes);
    const imported = await this.importedAccess(token.content.scopes, settings.profile.value?.name);
    await showInspection({ token, now, issues, commands, imported }, display, flags);
  }

  /** For how many operations of the imported description the token is good; undefined where there is none. */
  private async importedAccess(scopes: readonly string[] | undefined, profile: string | undefined) {
    const { environment } = this.runtime;
    if (!mayBeImported(environment)) return undefined;
    const { descriptionInUse } = await import('../../cli/session/description-in-use.ts');
    const described = await descriptionInUse({ environment, profile });
    return described && operationAccess(scopes, described.index);
  }
}
