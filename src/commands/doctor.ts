import { BaseCommand } from '../cli/base-command.ts';
import { type ConnectionFlagValues, connectionFlags, type DisplayFlagValues } from '../cli/flags/global.ts';
import { recordFlags } from '../cli/flags/list.ts';
import { inGroup, textFlag } from '../cli/flags/types.ts';
import { userAgentOf } from '../cli/runtime.ts';
import { type CheckedConfiguration, checkConfiguration } from '../features/doctor/configuration.ts';
import { exitCodeOfFindings, type Finding, summaryOf } from '../features/doctor/finding.ts';
import { DOCTOR_COLUMNS, openFindingPrinter } from '../features/doctor/print.ts';
import { runChecks } from '../features/doctor/run.ts';
import {
  evaluateUnresolved,
  type ResolvedSettings,
  resolveOrExplain,
  settingsForDisplay,
} from '../features/doctor/settings.ts';
import { type SchemeFlagValues, schemeFlags } from '../features/webhooks/scheme-flags.ts';

export default class Doctor extends BaseCommand {
  static override readonly summary = 'Find out why commands fail, and how to fix them.';

  static override readonly description =
    `Checks the configuration, the settings, the connection to the service, the clock, the credentials and what they allow.
Changes nothing and sends each request once. The exit code is 0 if no check fails; otherwise the first failure decides: 2 for
configuration and settings, 9 for the connection, 3 for clock and credentials, 4 for scopes, 6 for the merchant account.
With --webhooks, checks a receiver of webhooks instead of the service, for which no credentials are needed: sends it a signed test event
and forged ones. 9 if it does not respond, else 6.`;

  static override readonly columns = DOCTOR_COLUMNS;

  static override readonly flags = {
    ...inGroup('WEBHOOKS', {
      webhooks: textFlag({ summary: 'Check the receiver of webhooks at this URL.', helpValue: 'URL' }),
      ...withWebhooks(schemeFlags()),
    }),
    ...recordFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    { description: 'Check everything:', command: 'payctl doctor --profile emulator' },
    {
      description: 'List which commands the credentials allow:',
      command: `payctl doctor --jq '.checks[] | select(.name == "scopes").commands[]' --profile emulator`,
    },
    {
      description: 'Check that your program verifies signatures:',
      command: 'payctl doctor --webhooks http://localhost:3000/hooks --secret @webhook.secret',
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
    const checks =
      flags.webhooks === undefined
        ? runChecks({ configuration, resolved, display, runtime, signal })
        : this.#checkWebhooks({ ...flags, webhooks: flags.webhooks }, { configuration, resolved });
    for await (const finding of checks) {
      findings.push(finding);
      await printer.add(finding);
    }
    await printer.end();
    display.info(summaryOf(findings));
    return exitCodeOfFindings(findings);
  }

  /** Checks a receiver: of the settings, only those that concern webhooks. */
  async *#checkWebhooks(
    flags: ReceiverFlagValues,
    { configuration, resolved }: Checked,
  ): AsyncGenerator<Finding, void, undefined> {
    const { runtime } = this;
    yield { name: 'configuration', ...configuration.result };
    if (resolved.error) {
      yield { name: 'settings', ...evaluateUnresolved(resolved.error, configuration.profiles !== undefined) };
      return;
    }
    const [{ resolveScheme }, { openTargetSender, parseTargetUrl }, { checkReceiver }] = await Promise.all([
      import('../features/webhooks/scheme-flags.ts'),
      import('../features/webhooks/targets.ts'),
      import('../features/doctor/receiver.ts'),
    ]);
    const url = parseTargetUrl(flags.webhooks, '--webhooks');
    const session = this.openSession(flags);
    const scheme = await resolveScheme(flags, { session, runtime });
    const { settings, display, signal } = session;
    const sender = await openTargetSender([url], { settings, display, runtime });
    try {
      const parts = { sender, userAgent: userAgentOf(runtime), signal };
      yield { name: 'webhooks', ...(await checkReceiver({ url, ...scheme }, parts)) };
    } finally {
      await sender.close();
    }
  }
}

type ReceiverFlagValues = SchemeFlagValues &
  DisplayFlagValues &
  ConnectionFlagValues & { readonly webhooks: string };

type Checked = {
  readonly configuration: CheckedConfiguration;
  readonly resolved: ResolvedSettings;
};

/** The flags that only count with --webhooks. */
function withWebhooks<Flags extends Readonly<Record<string, object>>>(flags: Flags): Flags {
  for (const flag of Object.values(flags)) Object.assign(flag, { dependsOn: ['webhooks'] });
  return flags;
}
