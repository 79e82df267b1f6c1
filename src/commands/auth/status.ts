import { BaseCommand } from '../../cli/base-command.ts';
import { EXIT } from '../../cli/failure/exit-code.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import {
  credentialInputs,
  noCredentials,
  warnOfEmptyVariables,
} from '../../cli/session/credential-inputs.ts';
import { openTarget } from '../../cli/session/target.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { CREDENTIAL_NAMES } from '../../config/profile.ts';
import type { Settings } from '../../config/settings.ts';
import { findWithheld, listCredentialSources } from '../../credentials/sources.ts';
import { PayctlError } from '../../errors.ts';
import { inputsInUse } from '../../features/auth/credential-in-use.ts';
import { readCredentialStatus, statusRecord } from '../../features/auth/status.ts';

export default class AuthStatus extends BaseCommand {
  static override readonly summary = 'Show which service and credentials commands would use, and why.';

  static override readonly description =
    `Sends nothing; use payctl doctor to check with the service. The exit code is 3 if there are no usable credentials.`;

  static override readonly flags = { ...recordFlags(), ...connectionFlags() };

  static override readonly examples = [
    { description: 'Show what commands would use:', command: 'payctl auth status' },
    { description: 'Get it as JSON:', command: 'payctl auth status --profile emulator --json' },
    {
      description: 'Print the source of the credentials, for a script:',
      command: 'payctl auth status --profile emulator --jq .credentials.source',
    },
  ];

  async run(): Promise<number> {
    const { flags } = await this.parse(AuthStatus);
    const settings = this.configuration.resolve(flags);
    const display = this.show(settings, flags);
    const { runtime } = this;
    const isChosen = flags.columns !== undefined || flags.jq !== undefined;
    const print = isChosen ? await recordPrinter(display, flags) : undefined;
    const target = await openTarget({ settings, display, runtime }).catch(explain);
    try {
      const inputs =
        'problem' in target
          ? inputsInUse(settings, runtime)
          : credentialInputs({ settings, runtime, target });
      const sources = listCredentialSources(inputs);
      const [first] = sources;
      const now = new Date();
      const warn = (message: string) => display.warn('secret_file_open', message);
      const deps = { warn, signal: runtime.signal };
      const credentials =
        first && (await readCredentialStatus(first, { profile: inputs.profile, now, ...deps }));
      warnOfEmptyVariables(inputs, { display, runtime });
      const problem = noCredentials(inputs, settings);
      const kept = findWithheld(inputs);
      const withheld = kept && { source: kept.source, problem: problem.message };
      const isForPeople = !isChosen && display.format.isForPeople === true;
      const record = statusRecord({ settings, target, sources, withheld, credentials, now }, isForPeople);
      if (print) await print(record);
      else await display.showRecord(record, { brief: true });
      if (first?.storage === 'file') {
        const where = `the ${CREDENTIAL_NAMES[first.kind]} is in ${first.path}, not in a keychain.`;
        display.warn('insecure_storage', `Insecure storage: ${where}`);
      }
      if (withheld) display.info(`${withheld.problem}.`);
      if (credentials?.usable) {
        display.info(`The service was not contacted. Check with it: payctl doctor${profileFlag(settings)}`);
        return EXIT.done;
      }
      if (credentials) display.info(`These credentials cannot be used: ${credentials.problem}`);
      else if (withheld) display.info(problem.hint ?? '');
      else display.info(`No credentials are configured. Next: payctl auth login${profileFlag(settings)}`);
      return EXIT.credentials;
    } finally {
      if (!('problem' in target)) await target.close();
    }
  }
}

function profileFlag({ profile: { value } }: Settings): string {
  return value ? ` --profile ${value.name}` : '';
}

/** A base URL that is missing or wrong is part of the status. */
function explain(error: unknown): { readonly problem: string } {
  if (error instanceof PayctlError) return { problem: error.message };
  throw error;
}
