import { rawCommand } from '../../features/api/raw-command.ts';

export default rawCommand('GET', {
  summary: 'Send a GET request to any path of the service.',
  description:
    "What the operation of the path is known to need comes from the imported description, or from payctl's own: scopes, masks and paging. Other paths need --scope, unless a ready-made token is used. An answer that is no JSON is written as it comes, and nothing in it is masked.",
  examples: [
    {
      description: 'List buyers, whatever the command of it is:',
      command: "payctl api get '/buyers?limit=2' --profile emulator",
    },
    {
      description: 'Follow the pages of a list:',
      command: 'payctl api get /roles --all -o ndjson --profile emulator',
    },
  ],
});
