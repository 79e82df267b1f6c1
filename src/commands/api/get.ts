import { rawCommand } from '../../features/api/raw-command.ts';

export default rawCommand('GET', {
  summary: 'Send a GET request to any path of the service.',
  description:
    "Scopes, masking and paging come from the imported description, or from payctl's own contract, if it has this path. Other paths need --scope, unless you use a ready-made token. A response that is not JSON is written unchanged, and nothing in it is masked.",
  examples: [
    {
      description: 'List buyers by path:',
      command: "payctl api get '/buyers?limit=2' --profile emulator",
    },
    {
      description: 'Fetch all pages of a list:',
      command: 'payctl api get /roles --all -o ndjson --profile emulator',
    },
  ],
});
