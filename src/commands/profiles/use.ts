import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { optionalArgument } from '../../cli/flags/arguments.ts';
import { profileRecord } from '../../cli/session/profile-record.ts';
import { BUILT_IN_PROFILES, findProfile } from '../../config/profile.ts';
import { activate, activatePrevious, changeProfiles } from '../../config/profile-writer.ts';
import { listCredentialSources } from '../../credentials/sources.ts';
import { UsageError } from '../../errors.ts';

export default class ProfilesUse extends BaseCommand {
  static override readonly summary = 'Set the active profile, which commands use without --profile.';

  static override readonly args = {
    profile: optionalArgument('Name of the profile; - for the one that was active before.'),
  };

  static override readonly flags = {
    none: boolean({ summary: 'Deactivate the active profile.' }),
  };

  static override readonly examples = [
    { description: 'Switch to the emulator:', command: 'payctl profiles use emulator' },
    { description: 'Switch back to the profile before:', command: 'payctl profiles use -' },
    { description: 'Use no profile by default:', command: 'payctl profiles use --none' },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesUse);
    const display = this.openDisplay(flags);
    if ((args.profile === undefined) !== (flags.none === true)) {
      throw new UsageError('bad_usage', 'profiles use needs a profile name or --none', {
        hint: 'List the names: payctl profiles list',
      });
    }
    const { active } = await changeProfiles(this.configuration.directory, (document) =>
      args.profile === '-' ? activatePrevious(document) : activate(document, args.profile),
    );
    if (active === undefined) {
      display.info('No profile is active now.');
      return;
    }
    const profile = findProfile(this.configuration.profiles.profiles, active);
    await display.showRecord(profileRecord(profile, active), { brief: true });
    const { environment } = this.runtime;
    const isLoggedOut = !profile.credentials && !BUILT_IN_PROFILES.has(profile.name);
    if (isLoggedOut && listCredentialSources({ environment, profile }).length === 0) {
      display.info(
        `The profile ${profile.name} has no credentials. Next: payctl auth login --profile ${profile.name}`,
      );
    }
    if (environment.profile !== undefined && environment.profile !== active) {
      display.info(
        `PAYCTL_PROFILE is set and takes precedence: commands still use the profile ${environment.profile}.`,
      );
    }
  }
}
