import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { repeatable, textFlag } from '../../cli/flags/types.ts';
import { getToken, summaryOf, toTokenRecord } from '../../features/auth/token.ts';

export default class AuthToken extends BaseCommand {
  static override readonly summary = 'Sign a token with the key in use, and print it.';

  static override readonly description =
    `Prints only the token to stdout, for another program that sends it: Authorization: Bearer TOKEN.
If a token is configured instead of a key, prints that token unchanged.`;

  static override readonly flags = {
    scope: textFlag({
      ...repeatable,
      summary: 'Scope of the token, or several separated by commas. Can be repeated.',
      helpValue: 'NAME',
    }),
    'expires-in': textFlag({
      summary: 'How long the token is valid: 90s, 5m, 2h, 7d. Default: 5m.',
      helpValue: 'DURATION',
    }),
    yes: boolean({
      char: 'y',
      summary: 'Allow a lifetime of more than 24 hours, at most 365 days.',
    }),
  };

  static override readonly examples = [
    {
      description: 'Print a token for the emulator:',
      command: 'payctl auth token --scope buyers.read --profile emulator --quiet',
    },
    {
      description: 'Print its scopes and expiry as well:',
      command: 'payctl auth token --scope buyers.read,roles.read --expires-in 1h --json --profile emulator',
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(AuthToken);
    const { settings, display } = this.openSession(flags);
    const request = {
      scopes: flags.scope ?? [],
      expiresIn: flags['expires-in'],
      confirmed: flags.yes,
    };
    const token = await getToken(request, { settings, display, runtime: this.runtime });
    display.addSecret(token);
    const record = toTokenRecord(token);
    if (display.format.isForPeople) await display.stdout.write(`${token}\n`);
    else await display.showRecord(record);
    display.info(summaryOf(record));
  }
}
