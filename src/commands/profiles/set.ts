import { string } from '@oclif/core/args';
import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { profileFlags, readProfileFields } from '../../cli/flags/profile.ts';
import { choiceFlag } from '../../cli/flags/types.ts';
import { confirmUnmarking, profileRecord } from '../../cli/profile-record.ts';
import { changeProfiles, type ProfileFields, setProfile } from '../../config/profile-writer.ts';
import { checkProfileName, findProfile, readProfiles } from '../../config/profiles.ts';
import { UsageError } from '../../errors.ts';

/** The fields that can be taken away, by the names of their flags. */
const FIELD_OF_FLAG = {
  'base-url': 'baseUrl',
  instance: 'instance',
  environment: 'environment',
  'merchant-account': 'merchantAccount',
  'merchant-header': 'merchantHeader',
  output: 'output',
  'rsa-algorithm': 'rsaAlgorithm',
} as const;

type FlagName = keyof typeof FIELD_OF_FLAG;

export default class ProfilesSet extends BaseCommand {
  static override readonly summary = 'Make a profile, or change settings of one.';

  static override readonly description =
    `Settings that are not given stay as they are. --output becomes the format of every command that uses the profile, this
one included. The token or key of a profile comes from payctl auth login.`;

  static override readonly args = {
    profile: string({ required: true, description: 'Name of the profile.', ignoreStdin: true }),
  };

  static override readonly flags = {
    ...profileFlags(),
    yes: boolean({ char: 'y', summary: 'Take the mark production away without being asked.' }),
    unset: choiceFlag({
      options: Object.keys(FIELD_OF_FLAG) as FlagName[],
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Take a setting away; may be given several times.',
    })(),
  };

  static override readonly examples = [
    {
      description: 'One instance of a sandbox, acting for one merchant account:',
      command:
        "payctl profiles set sandbox --base-url 'https://api.{id}.example.com' --instance acme --environment sandbox -m outlet",
    },
    {
      description: 'Be asked before anything is changed in production:',
      command: 'payctl profiles set live --base-url https://api.acme.example.com --environment production',
    },
    {
      description: 'Act for no merchant account again:',
      command: 'payctl profiles set sandbox --unset merchant-account',
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesSet);
    const display = this.openDisplay(flags);
    const name = checkProfileName(args.profile);
    const given: ProfileFields = { ...readProfileFields(flags), output: flags.output };
    const fields = { ...given, ...fieldsToUnset(flags.unset ?? [], given) };
    if (Object.values(fields).every((value) => value === undefined)) {
      throw new UsageError('nothing_to_set', 'profiles set was given nothing to set', {
        hint: 'Add a setting, such as --base-url. Add --help for all of them.',
      });
    }
    const before = this.profiles.profiles.get(name);
    if (fields.environment !== undefined) {
      await confirmUnmarking(before, fields.environment, { runtime: this.runtime, confirmed: flags.yes });
    }
    await changeProfiles(this.directory, (document) => setProfile(document, name, fields));
    const { profiles, active } = readProfiles(this.directory);
    await display.showRecord(profileRecord(findProfile(profiles, name, 'PROFILE'), active), { brief: true });
    if (!before) display.info(`The profile ${name} is new. Next: payctl auth login --profile ${name}`);
  }
}

function fieldsToUnset(names: readonly FlagName[], given: ProfileFields): ProfileFields {
  const both = names.find((name) => given[FIELD_OF_FLAG[name]] !== undefined);
  if (both) {
    throw new UsageError('bad_usage', `--${both} and --unset ${both} contradict each other`, {
      hint: `Leave one of them out.`,
    });
  }
  return Object.fromEntries(names.map((name) => [FIELD_OF_FLAG[name], null]));
}
