import { getCommand } from '../../cli/get-command.ts';

export default getCommand('listRoles', {
  noun: 'role',
  name: 'slug',
  examples: [
    { description: 'Show a role by its slug:', command: 'payctl roles get developer --profile emulator' },
  ],
});
