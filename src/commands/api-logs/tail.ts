import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags } from '../../cli/flags/list.ts';
import { userAgentOf } from '../../cli/runtime.ts';
import { tailFlags, tailRequestOf, withoutEnd } from '../../cli/tail/flags.ts';
import { LOG_COLUMNS } from '../../features/api-logs/columns.ts';
import { filterFlags } from '../../features/api-logs/filter-flags.ts';
import { LogCommand } from '../../features/api-logs/log-command.ts';

export default class ApiLogsTail extends LogCommand {
  static override readonly summary = 'Follow failed API requests as they happen.';
  static override readonly description =
    `Prints the last entries of the log, then each new one once, oldest first. The API cannot list only new entries, so
payctl polls and compares every few seconds; if more entries arrived than one response holds, it says which span of time may be
missing. Outages do not stop it; Ctrl-C does, and payctl then says how to resume.`;
  static override readonly columns = LOG_COLUMNS;
  static override readonly examples = [
    { description: 'Follow the log of the emulator:', command: 'payctl api-logs tail --profile emulator' },
    {
      description: 'Wait up to ten minutes for the first 502 (exit code 5 if there is none):',
      command: `payctl api-logs tail --last 0 --for 10m --until-match '.response_status_code == 502' --profile emulator`,
    },
    {
      description: 'Record what fails within an hour:',
      command: 'payctl api-logs tail --last 0 --for 1h -o ndjson --profile emulator > failed.ndjson',
    },
  ];
  static override readonly flags = {
    ...tailFlags(),
    ...withoutEnd(filterFlags()),
    ...outputFlags(),
    ...connectionFlags(),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiLogsTail);
    const log = await this.openLog(flags, { isPolling: true });
    const { filter, session } = log;
    if (!session) return;
    try {
      const request = tailRequestOf(flags, session.settings, {
        words: 'api-logs tail',
        argv: this.argv,
      });
      const { apiLogSource } = await import('../../features/api-logs/tail-source.ts');
      const { tail } = await import('../../cli/tail/tail.ts');
      await tail(session, apiLogSource(log, userAgentOf(this.runtime)), request);
    } finally {
      filter.close();
    }
  }
}
