import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { requireYes } from '../../cli/prompt/prompter.ts';
import { confirmProfileChange } from '../../cli/session/confirm-profile-change.ts';
import { checkProfileName, findProfile, type Profile } from '../../config/profile.ts';
import { changeProfiles, removeProfile } from '../../config/profile-writer.ts';
import { readProfiles } from '../../config/profiles.ts';
import { type ProfilesDocument, toProfile } from '../../config/profiles-document.ts';
import { deleteSecrets } from '../../credentials/store.ts';
import { refuseOtherLimits } from '../../features/profiles/change-settings.ts';

export default class ProfilesDelete extends BaseCommand {
  static override readonly summary = 'Delete a profile and its stored token or key.';

  static override readonly args = {
    profile: argument('Name of the profile.'),
  };

  static override readonly flags = {
    yes: boolean({ char: 'y', summary: 'Do not ask before deleting.' }),
  };

  static override readonly examples = [
    { description: 'Delete a profile:', command: 'payctl profiles delete sandbox' },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesDelete);
    const display = this.openDisplay(flags);
    const { directory } = this.configuration;
    const { profiles, active } = this.configuration.profiles;
    const profile = findProfile(profiles, args.profile);
    const name = checkProfileName(profile.name);
    await confirmProfileChange(profile, undefined, { runtime: this.runtime, confirmed: flags.yes });
    if (!flags.yes) {
      const question = `Delete the profile ${name} and its credentials?`;
      await requireYes(await this.runtime.prompter(), question, {
        message: `The profile ${name} was not deleted`,
        hint: 'Add --yes to delete it without confirmation.',
      });
    }
    refuseOtherLimits(profile, findProfile(readProfiles(directory).profiles, name));
    // First the secrets: a profile that is gone could no longer say where they are.
    const removed = await deleteSecrets(directory, profile, this.runtime.signal);
    const afterwards = await this.#removerOf(profile);
    const remove = (document: ProfilesDocument) => {
      refuseOtherLimits(profile, toProfile(name, document.profiles[name] ?? {}));
      return removeProfile(document, name);
    };
    await changeProfiles(directory, remove, { afterwards });
    await display.showRecord({ name, deleted: true, removed_secrets: removed });
    if (active === name)
      display.info('It was the active profile; no profile is active now. Next: payctl profiles use NAME');
  }

  /** Removes the imported description of the profile, unless others refer to it. */
  async #removerOf({ description }: Profile) {
    if (!description) return undefined;
    const { removeUnusedImports } = await import('../../features/api/forget-description.ts');
    const { environment } = this.runtime;
    return (left: ProfilesDocument) => void removeUnusedImports(left, environment, description.folder);
  }
}
