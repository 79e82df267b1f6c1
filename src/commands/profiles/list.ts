import { BaseCommand } from '../../cli/base-command.ts';
import { recordFlags, sortFlag } from '../../cli/flags/list.ts';
import { PROFILE_COLUMNS, profileRecord } from '../../cli/session/profile-record.ts';
import { showRecords } from '../../cli/show/show-document.ts';
import { quote } from '../../text/format.ts';

export default class ProfilesList extends BaseCommand {
  static override readonly summary = 'List the profiles and show which one is active.';

  static override readonly columns = PROFILE_COLUMNS;

  static override readonly flags = { ...sortFlag({ isWhole: true }), ...recordFlags() };

  static override readonly examples = [
    { description: 'List all profiles:', command: 'payctl profiles list' },
    {
      description: 'Print only the names, for a script:',
      command: "payctl profiles list --jq '.items[].name'",
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(ProfilesList);
    const display = this.openDisplay(flags);
    const { profiles } = this.configuration.profiles;
    const active = flags.profile ?? this.configuration.activeProfile;
    const names = [...profiles.keys()].sort();
    const records = names.flatMap((name) => {
      const profile = profiles.get(name);
      return profile ? [profileRecord(profile, active)] : [];
    });
    await showRecords(display, records, { flags, columns: PROFILE_COLUMNS });
    const { profile: named } = this.runtime.environment;
    if (flags.profile !== undefined || named === undefined) return;
    display.info(
      profiles.has(named)
        ? `PAYCTL_PROFILE makes ${named} the active profile.`
        : `PAYCTL_PROFILE names the profile ${quote(named)}, which does not exist.`,
    );
  }
}
