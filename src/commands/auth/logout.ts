import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { textFlag } from '../../cli/flags/types.ts';
import { BUILT_IN_PROFILES, findProfile, type Profile } from '../../config/profile.ts';
import { changeProfiles, setCredentials } from '../../config/profile-writer.ts';
import { listCredentialSources } from '../../credentials/sources.ts';
import { deleteOrphanedSecrets, deleteSecrets } from '../../credentials/store.ts';
import { UsageError } from '../../errors.ts';

export default class AuthLogout extends BaseCommand {
  static override readonly summary =
    'Remove the credentials of a profile, and every copy that payctl made of them.';

  static override readonly description =
    `Keeps the other settings of the profile, and a key file of your own that the profile only refers to. The service is not
notified: a token that was already issued stays valid until it expires.`;

  static override readonly flags = {
    profile: textFlag({ summary: 'Profile to log out of. Default: the active profile.', helpValue: 'NAME' }),
    all: boolean({ summary: 'Log out of every profile.', exclusive: ['profile'] }),
  };

  static override readonly examples = [
    { description: 'Log out of the active profile:', command: 'payctl auth logout' },
    { description: 'Remove every secret that payctl stored:', command: 'payctl auth logout --all' },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(AuthLogout);
    const display = this.openDisplay(flags);
    const { environment } = this.runtime;
    const { directory } = this.configuration;
    const profiles = flags.all ? this.#all() : [this.#one(flags.profile)];
    const removed: string[] = [];
    for (const profile of profiles) {
      removed.push(...(await deleteSecrets(directory, profile, this.runtime.signal)));
      if (!profile.credentials) continue;
      await changeProfiles(directory, (document) => setCredentials(document, profile.name, undefined));
    }
    if (flags.all)
      removed.push(...deleteOrphanedSecrets(directory, this.configuration.profiles.profiles.values()));
    await display.showRecord({ profiles: profiles.map(({ name }) => name), removed });
    for (const { name, credentials } of profiles) {
      display.info(credentials ? `Logged out of ${name}.` : `The profile ${name} had no credentials.`);
      if (credentials?.storage === 'reference')
        display.info(`${credentials.path} is your own file and was not deleted.`);
    }
    for (const { origin } of listCredentialSources({ environment, profile: undefined })) {
      display.info(`${origin} is still set.`);
    }
  }

  #all(): readonly Profile[] {
    return [...this.configuration.profiles.profiles.values()].filter(
      ({ name }) => !BUILT_IN_PROFILES.has(name),
    );
  }

  #one(named: string | undefined): Profile {
    const name = named ?? this.configuration.activeProfile;
    if (name === undefined) {
      throw new UsageError('no_active_profile', 'No profile is active', {
        hint: 'Name a profile with --profile, or log out of all profiles with --all.',
      });
    }
    if (BUILT_IN_PROFILES.has(name)) {
      throw new UsageError(
        'built_in_profile',
        `The ${named ? '' : 'active '}profile ${name} is built in and has no credentials to remove`,
        { hint: 'Name another profile with --profile, or log out of all profiles with --all.' },
      );
    }
    return findProfile(this.configuration.profiles.profiles, name);
  }
}
