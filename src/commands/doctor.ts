import { BaseCommand } from '../cli/base-command.ts';
import { connectionFlags } from '../cli/flags/global.ts';
import { recordFlags } from '../cli/flags/list.ts';
import { checkConfiguration } from '../features/doctor/configuration.ts';
import { exitCodeOfFindings, type Finding, summaryOf } from '../features/doctor/finding.ts';
import { DOCTOR_COLUMNS, openFindingPrinter } from '../features/doctor/print.ts';
import { runChecks } from '../features/doctor/run.ts';
import { resolveOrExplain, settingsForDisplay } from '../features/doctor/settings.ts';

export default class Doctor extends BaseCommand {
  static override readonly summary = 'Find out why commands fail, and how to fix them.';

  static override readonly description =
    `Checks the configuration, the settings, the connection to the service, the clock, the credentials and what they allow.
Changes nothing and sends each request once. The exit code is 0 if no check fails; otherwise the first failure decides: 2 for
configuration and settings, 9 for the connection, 3 for clock and credentials, 4 for scopes, 6 for the merchant account.`;

  static override readonly columns = DOCTOR_COLUMNS;

  static override readonly flags = {
    ...recordFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    { description: 'Check everything:', command: 'payctl doctor --profile emulator' },
    {
      description: 'List which commands the credentials allow:',
      command: `payctl doctor --jq '.checks[] | select(.name == "scopes").commands[]' --profile emulator`,
    },
  ];

  async run(): Promise<number> {
    const { flags } = await this.parse(Doctor);
    const configuration = checkConfiguration(this.configuration.directory, () => this.configuration.profiles);
    if (!configuration.profiles) this.configuration.doWithoutProfiles();
    const resolved = resolveOrExplain(() => this.configuration.resolve(flags));
    const { runtime } = this;
    const display = this.show(resolved.settings ?? settingsForDisplay(flags, runtime.environment), flags);
    const printer = await openFindingPrinter(display, flags);
    const signal = AbortSignal.any([runtime.signal, display.stdout.closedSignal]);
    const findings: Finding[] = [];
    for await (const finding of runChecks({ configuration, resolved, display, runtime, signal })) {
      findings.push(finding);
      await printer.add(finding);
    }
    await printer.end();
    display.info(summaryOf(findings));
    return exitCodeOfFindings(findings);
  }
}
