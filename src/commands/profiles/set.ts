import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { certificateFlags, profileFlags, readProfileFields } from '../../cli/flags/profile.ts';
import { choiceFlag, repeatable, textFlag } from '../../cli/flags/types.ts';
import { readLimits } from '../../cli/money/profile-limits.ts';
import { confirmProfileChange } from '../../cli/session/confirm-profile-change.ts';
import { profileRecord } from '../../cli/session/profile-record.ts';
import {
  ACCESS_LEVELS,
  type Approver,
  checkProfileName,
  findProfile,
  LIMIT_FIELDS,
} from '../../config/profile.ts';
import type { ProfileFields } from '../../config/profile-writer.ts';
import { readProfiles } from '../../config/profiles.ts';
import { parseDuration, parseHeaderPrefix, parseMaxRetries } from '../../config/values.ts';
import { UsageError } from '../../errors.ts';
import { changeSettings, settingsAfter } from '../../features/profiles/change-settings.ts';
import { readChosenColumns } from '../../features/profiles/chosen-columns.ts';

/** The fields that `--unset` removes, by the names of their flags. */
const FIELD_OF_FLAG = {
  'base-url': 'baseUrl',
  instance: 'instance',
  environment: 'environment',
  access: 'access',
  timeout: 'timeout',
  'max-retries': 'maxRetries',
  'merchant-account': 'merchantAccount',
  'merchant-header': 'merchantHeader',
  'header-prefix': 'webhookHeaderPrefix',
  output: 'output',
  utc: 'utc',
  columns: 'columns',
  'max-amount': 'maxAmounts',
  'max-total': 'maxTotals',
  approvers: 'approvers',
  proxy: 'proxy',
  'ca-file': 'caFile',
  'client-certificate': 'clientCertificate',
  'client-key': 'clientKey',
  'rsa-algorithm': 'rsaAlgorithm',
} as const;

type FlagName = keyof typeof FIELD_OF_FLAG;

export default class ProfilesSet extends BaseCommand {
  static override readonly summary = 'Create a profile, or change its settings.';

  static override readonly description =
    `Settings that you do not specify stay unchanged. --output, --utc and --columns become defaults. A new address logs the
profile out. To store a token or key, use payctl auth login.`;

  static override readonly storesSettings = true;

  static override readonly args = {
    profile: argument('Name of the profile.'),
  };

  static override readonly flags = {
    ...profileFlags(),
    ...certificateFlags(),
    access: choiceFlag({
      options: ACCESS_LEVELS,
      helpValue: 'NAME',
      summary: 'Use read to refuse every change.',
    })(),
    timeout: textFlag({ summary: 'Time limit per attempt, such as 30s.', helpValue: 'DURATION' }),
    'max-retries': textFlag({ summary: 'Maximum number of retries.', helpValue: 'N' }),
    'header-prefix': textFlag({
      summary: 'Prefix of the headers of webhooks.',
      helpValue: 'PREFIX',
    }),
    columns: textFlag({
      ...repeatable,
      summary: "Columns of a command's tables. Can be repeated.",
      helpValue: 'COMMAND=a,b',
    }),
    'max-amount': textFlag({
      ...repeatable,
      summary: 'Refuse changes above this, and in other currencies. Can be repeated.',
      helpValue: 'EUR=500.00',
    }),
    'max-total': textFlag({
      ...repeatable,
      summary: 'Refuse plans above this, and in other currencies. Can be repeated.',
      helpValue: 'EUR=5000.00',
    }),
    approvers: textFlag({
      summary: 'Public keys of approvers of plans (JWKS, PEM).',
      helpValue: 'FILE',
    }),
    yes: boolean({
      char: 'y',
      summary: 'Do not ask before unmarking production.',
    }),
    unset: choiceFlag({
      options: Object.keys(FIELD_OF_FLAG) as FlagName[],
      ...repeatable,
      summary: 'Remove a setting. Can be repeated.',
      helpValue: 'SETTING',
    })(),
  };

  static override readonly examples = [
    {
      description: 'Set up a sandbox profile with a merchant account:',
      command:
        "payctl profiles set sandbox --base-url 'https://api.{id}.example.com' --instance acme --environment sandbox -m outlet",
    },
    {
      description: 'Ask before every change in production, and refuse those above 500 EUR:',
      command:
        'payctl profiles set live --base-url https://api.acme.example.com --environment production --max-amount EUR=500.00',
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesSet);
    const display = this.openDisplay(flags);
    const name = checkProfileName(args.profile);
    const given: ProfileFields = {
      ...readProfileFields(flags),
      access: flags.access,
      timeout: checked(flags.timeout, '--timeout', parseDuration),
      maxRetries: checked(flags['max-retries'], '--max-retries', parseMaxRetries),
      webhookHeaderPrefix:
        flags['header-prefix'] && parseHeaderPrefix(flags['header-prefix'], '--header-prefix'),
      output: flags.output,
      maxAmounts: flags['max-amount'] && readLimits(flags['max-amount'], '--max-amount'),
      maxTotals: flags['max-total'] && readLimits(flags['max-total'], '--max-total'),
      approvers: flags.approvers === undefined ? undefined : await this.#readApprovers(flags.approvers),
      utc: flags.utc ? 'true' : undefined,
      columns: flags.columns && (await readChosenColumns(flags.columns, this.commands)),
    };
    const fields = { ...given, ...fieldsToUnset(flags.unset ?? [], given) };
    if (Object.values(fields).every((value) => value === undefined)) {
      throw new UsageError('nothing_to_set', 'profiles set needs at least one setting', {
        hint: 'Add a setting such as --base-url after the command; --help lists them all.',
      });
    }
    const before = this.configuration.profiles.profiles.get(name);
    const after = settingsAfter(before, fields);
    if (LIMIT_FIELDS.some((field) => given[field]) && after.baseUrl === undefined) throw noAddress(name);
    await confirmProfileChange(before, after, { runtime: this.runtime, confirmed: flags.yes });
    const { directory, activeProfile } = this.configuration;
    const loggedOut = await changeSettings(name, fields, { directory, before, signal: this.runtime.signal });
    const record = profileRecord(findProfile(readProfiles(directory).profiles, name), activeProfile);
    await display.showRecord(record, { brief: true });
    if (loggedOut) display.warn('logged_out', loggedOut);
    if (!before) display.info(`Created the profile ${name}. Next: payctl auth login --profile ${name}`);
  }

  async #readApprovers(path: string): Promise<readonly Approver[]> {
    const { readApprovers } = await import('../../features/profiles/approvers.ts');
    return await readApprovers(path, this.runtime.signal);
  }
}

/** Limits hold at an origin, whichever profile is used there. */
function noAddress(name: string): UsageError {
  return new UsageError(
    'limit_without_address',
    `A limit applies to a base URL, and the profile ${name} has none`,
    {
      hint: 'Add --base-url URL.',
    },
  );
}

/** A text as it was given, once it is known to be right. */
function checked(
  text: string | undefined,
  origin: string,
  parse: (text: string, origin: string) => unknown,
): string | undefined {
  if (text !== undefined) parse(text, origin);
  return text;
}

function fieldsToUnset(names: readonly FlagName[], given: ProfileFields): ProfileFields {
  const both = names.find((name) => given[FIELD_OF_FLAG[name]] !== undefined);
  if (both) {
    throw new UsageError('bad_usage', `--${both} and --unset ${both} cannot be used together`, {
      hint: `Remove one of them.`,
    });
  }
  return Object.fromEntries(names.map((name) => [FIELD_OF_FLAG[name], null]));
}
