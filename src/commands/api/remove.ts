import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { requireYes } from '../../cli/prompt/prompter.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { type DescriptionBinding, findProfile } from '../../config/profile.ts';
import { bindDescription, changeProfiles } from '../../config/profile-writer.ts';
import { UsageError } from '../../errors.ts';
import { ownerOf, removeUnusedImports } from '../../features/api/forget-description.ts';

export default class ApiRemove extends BaseCommand {
  static override readonly summary = 'Remove an imported description and its commands.';

  static override readonly description =
    `Removes the description of the profile of --profile, else of the active one, else of runs without a profile. payctl deletes its
copy of it unless another profile uses it; the file that you imported is not touched.`;

  static override readonly columns = [
    { header: 'PROFILE', path: 'profile' },
    { header: 'FILE', path: 'file' },
    { header: 'DELETED', path: 'deleted' },
  ];

  static override readonly flags = {
    yes: boolean({ char: 'y', summary: 'Do not ask before removing.' }),
    ...recordFlags(),
  };

  static override readonly examples = [
    { description: 'Remove the description of the active profile:', command: 'payctl api remove' },
    {
      description: "Remove the emulator's description:",
      command: 'payctl api remove --profile emulator --yes',
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiRemove);
    const display = this.openDisplay(flags);
    const print = await recordPrinter(display, flags);
    const { environment } = this.runtime;
    const profile = flags.profile ?? this.configuration.activeProfile;
    const { folder, file } = this.#bindingOf(profile);
    const what = `the description ${file} ${ownerOf(profile)}`;
    if (!flags.yes) {
      await requireYes(await this.runtime.prompter(), `Remove ${what} and its commands?`, {
        message: `Nothing was removed: ${what} is still there`,
        hint: 'Add --yes to remove it without confirmation.',
      });
    }
    let deleted: readonly string[] = [];
    await changeProfiles(
      this.configuration.directory,
      (document) => bindDescription(document, profile, undefined),
      {
        afterwards(left) {
          deleted = removeUnusedImports(left, environment, folder).filter((path) => path.endsWith(folder));
        },
      },
    );
    await print({ profile: profile ?? null, file, deleted });
    if (environment.description !== undefined)
      display.info('PAYCTL_DESCRIPTION is still set: commands use the description that it names.');
  }

  /** @throws UsageError `unknown_profile`, `no_description` */
  #bindingOf(profile: string | undefined): DescriptionBinding {
    const { profiles, description } = this.configuration.profiles;
    const binding = profile === undefined ? description : findProfile(profiles, profile).description;
    if (binding) return binding;
    const owners = [...profiles.values()].filter((other) => other.description).map(({ name }) => name);
    const known = owners.length === 0 ? '' : ` Profiles with a description: ${owners.sort().join(', ')}.`;
    const whose = profile === undefined ? 'for runs without a profile' : `for the profile ${profile}`;
    throw new UsageError('no_description', `No description was imported ${whose}`, {
      hint: `There is nothing to remove.${known}`,
    });
  }
}
