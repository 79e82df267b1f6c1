import { listCommand } from '../../cli/list-command.ts';

export default listCommand('listRoles', {
  summary: 'List the roles of the instance and what they allow.',
  description: `Roles belong to the instance, so the merchant account is not sent.`,
  noun: 'roles',
  columns: [
    { header: 'SLUG', path: 'slug', minWidth: 16, priority: 10 },
    { header: 'NAME', path: 'name', minWidth: 12, priority: 6 },
    { header: 'ALLOWS', path: 'permissions.allow', minWidth: 36, priority: 9 },
    { header: 'ASSIGNABLE TO', path: 'assignable_to', minWidth: 10, priority: 3 },
    { header: 'DESCRIPTION', path: 'description', minWidth: 20, priority: 4 },
    { header: 'ID', path: 'id', priority: 2 },
  ],
  examples: [
    { description: 'List the roles:', command: `payctl roles list --profile emulator` },
    {
      description: 'List the roles that can read buyers:',
      command: `payctl roles list --jq '.items[] | select(.permissions.allow | index("buyers.read")).slug' --profile emulator`,
    },
  ],
});
