import { string } from '@oclif/core/args';
import { BaseCommand } from '../../cli/base-command.ts';
import { profileRecord } from '../../cli/profile-record.ts';
import { findProfile } from '../../config/profiles.ts';
import { UsageError } from '../../errors.ts';

export default class ProfilesShow extends BaseCommand {
  static override readonly summary = 'Show a profile, by default the active one.';

  static override readonly args = {
    profile: string({
      description: 'Name of the profile. Default: the active profile.',
      ignoreStdin: true,
    }),
  };

  static override readonly examples = [
    { description: 'Show the active profile:', command: 'payctl profiles show' },
    { description: 'Show the built-in profile:', command: 'payctl profiles show emulator' },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesShow);
    const display = this.openDisplay(flags);
    const { profiles, active } = this.profiles;
    const name = args.profile ?? active;
    if (name === undefined) {
      throw new UsageError('no_active_profile', 'No profile is active', {
        hint: 'Name a profile, or set the active one: payctl profiles use NAME',
      });
    }
    await display.showRecord(profileRecord(findProfile(profiles, name, 'PROFILE'), active), { brief: true });
  }
}
