import { BaseCommand } from '../../cli/base-command.ts';
import { ROLE_COLUMNS } from '../../cli/catalog/columns.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags, pagingFlags } from '../../cli/flags/list.ts';
import { showList } from '../../cli/show-list.ts';

export default class RolesList extends BaseCommand {
  static override readonly summary = 'List the roles of the instance and what they allow.';

  static override readonly description = `Roles belong to the instance: the merchant account is not sent.`;

  static override readonly columns = ROLE_COLUMNS;

  static override readonly flags = {
    ...pagingFlags(),
    ...outputFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    { description: 'Look:', command: `payctl roles list --profile emulator` },
    {
      description: 'Which roles may read buyers:',
      command: `payctl roles list --jq '.items[] | select(.permissions.allow | index("buyers.read")) | .slug' --profile emulator`,
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(RolesList);
    const session = this.openSession(flags);
    const client = await session.client();
    await showList(session, client.roles, {
      query: {},
      flags,
      columns: ROLE_COLUMNS,
      noun: 'roles',
    });
  }
}
