import { boolean } from '@oclif/core/flags';
import { connectionFlags } from '../../cli/flags/global.ts';
import { choiceFlag } from '../../cli/flags/types.ts';
import { fileFlag, filterFlags } from '../../features/api-logs/filter-flags.ts';
import { LogCommand, type LogFlagValues } from '../../features/api-logs/log-command.ts';

/** The format of the display for each format of a report decides about stderr alone: JSON with JSON, text otherwise. */
const BESIDE = { markdown: 'table', html: 'table', json: 'json' } as const;

export default class ApiLogsReport extends LogCommand {
  static override readonly summary = 'Write a report on failed API requests, for a ticket.';
  static override readonly description =
    `Says what failed, how often and when, with examples, likely causes and next steps, and what may be missing. Filters are those of
api-logs list. Personal data, IDs, tokens and secrets are replaced by names such as buyer-1, the same ones throughout the
report. Names and streets in free text cannot be recognised; --no-messages leaves all free text out. HTML is a single file that loads nothing else; JSON has the figures. PAYCTL_OUTPUT and the format of the profile do not apply.`;
  static override readonly examples = [
    {
      description: 'Report on the whole log, in Markdown:',
      command: 'payctl api-logs report --profile emulator',
    },
    {
      description: 'Report on failures of the service, for a browser:',
      command: 'payctl api-logs report --status 5xx -o html --profile emulator > report.html',
    },
  ];
  static override readonly flags = {
    output: choiceFlag({
      char: 'o',
      options: ['markdown', 'html', 'json'] as const,
      summary: 'Format of the report. Default: markdown.',
      helpValue: 'FORMAT',
    })(),
    for: choiceFlag({
      options: ['support', 'merchant'] as const,
      summary:
        'Reader of the report; for a merchant, it leaves out profile, host and commands. Default: support.',
      helpValue: 'READER',
    })(),
    'no-messages': boolean({ summary: 'Leave out all free text: messages and text in bodies.' }),
    ...filterFlags(),
    ...fileFlag(),
    ...connectionFlags(),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiLogsReport);
    const format = flags.json ? 'json' : (flags.output ?? 'markdown');
    const values: LogFlagValues = { ...flags, output: BESIDE[format] };
    const log = await this.openLog(values);
    const { writeReport } = await import('../../features/api-logs/report/write.ts');
    const pages = this.kept(values, log);
    await writeReport(pages, {
      log,
      values,
      format,
      view: flags.for ?? 'support',
      hasMessages: !flags['no-messages'],
      createdBy: `payctl/${this.runtime.version}`,
    });
  }
}
