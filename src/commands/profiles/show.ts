import { BaseCommand } from '../../cli/base-command.ts';
import { optionalArgument } from '../../cli/flags/arguments.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { profileRecord } from '../../cli/session/profile-record.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { findProfile } from '../../config/profile.ts';
import { UsageError } from '../../errors.ts';

export default class ProfilesShow extends BaseCommand {
  static override readonly summary = 'Show a profile, by default the active one.';

  static override readonly args = {
    profile: optionalArgument('Name of the profile. Default: the active profile.'),
  };

  static override readonly flags = { ...recordFlags() };

  static override readonly examples = [
    { description: 'Show the active profile:', command: 'payctl profiles show' },
    { description: 'Show the built-in profile:', command: 'payctl profiles show emulator' },
    { description: 'Print one setting, for a script:', command: 'payctl profiles show emulator --jq .name' },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesShow);
    const display = this.openDisplay(flags);
    const active = flags.profile ?? this.configuration.activeProfile;
    const name = args.profile ?? active;
    if (name === undefined) {
      throw new UsageError('no_active_profile', 'No profile is active', {
        hint: 'Name a profile, or set the active one: payctl profiles use NAME',
      });
    }
    const why = name === args.profile || name === flags.profile ? undefined : this.#whyActive();
    const record = profileRecord(findProfile(this.configuration.profiles.profiles, name, why), active);
    if (flags.columns || flags.jq) await (await recordPrinter(display, flags))(record);
    else await display.showRecord(record, { brief: true });
  }

  #whyActive(): string {
    return this.runtime.environment.profile === undefined
      ? 'it is set as the active profile'
      : 'PAYCTL_PROFILE names it';
  }
}
