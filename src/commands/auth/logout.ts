import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { textFlag } from '../../cli/flags/types.ts';
import { changeProfiles, setCredentials } from '../../config/profile-writer.ts';
import { BUILT_IN_PROFILES, checkProfileName, findProfile, type Profile } from '../../config/profiles.ts';
import { listCredentialSources } from '../../credentials/sources.ts';
import { deleteOrphanedSecrets, forgetSecrets } from '../../credentials/store.ts';
import { UsageError } from '../../errors.ts';

export default class AuthLogout extends BaseCommand {
  static override readonly summary = 'Remove the token or key of a profile, and every copy of it.';

  static override readonly description =
    `The other settings of the profile stay. A key file that the profile only refers to is your own and stays too. The service
is not told: a token that was handed out is good until it expires.`;

  static override readonly flags = {
    profile: textFlag({ summary: 'Profile to log out of; the active one without it.', helpValue: 'NAME' }),
    all: boolean({ summary: 'Log out of every profile.', exclusive: ['profile'] }),
  };

  static override readonly examples = [
    { description: 'Log out of the active profile:', command: 'payctl auth logout' },
    { description: 'Leave no secret on this machine:', command: 'payctl auth logout --all' },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(AuthLogout);
    const display = this.openDisplay(flags);
    const { environment } = this.runtime;
    const profiles = flags.all ? this.#all() : [this.#one(flags.profile ?? environment.profile)];
    const removed: string[] = [];
    for (const profile of profiles) {
      removed.push(...(await forgetSecrets(this.directory, profile, this.runtime.signal)));
      if (!profile.credentials) continue;
      await changeProfiles(this.directory, (document) => setCredentials(document, profile.name, undefined));
    }
    if (flags.all) removed.push(...deleteOrphanedSecrets(this.directory, this.profiles.profiles.values()));
    await display.showRecord({ profiles: profiles.map(({ name }) => name), removed });
    for (const { name, credentials } of profiles) {
      display.info(credentials ? `Logged out of ${name}.` : `The profile ${name} held no credentials.`);
      if (credentials?.storage === 'reference')
        display.info(`${credentials.path} is your own file and stays.`);
    }
    for (const { origin } of listCredentialSources({ environment, profile: undefined })) {
      display.info(`${origin} is still set.`);
    }
  }

  #all(): readonly Profile[] {
    return [...this.profiles.profiles.values()].filter(({ name }) => !BUILT_IN_PROFILES.has(name));
  }

  #one(named: string | undefined): Profile {
    const name = named ?? this.profiles.active;
    if (name === undefined) {
      throw new UsageError('no_active_profile', 'No profile is active', {
        hint: 'Name one with --profile, or log out of all with --all.',
      });
    }
    const profile = findProfile(this.profiles.profiles, name, '--profile');
    checkProfileName(profile.name);
    return profile;
  }
}
