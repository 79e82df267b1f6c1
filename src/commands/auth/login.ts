import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { profileFlags } from '../../cli/flags/profile.ts';
import { inGroup, textFlag } from '../../cli/flags/types.ts';
import { confirmProfileChange } from '../../cli/session/confirm-profile-change.ts';
import { sourceOf } from '../../cli/session/credential-inputs.ts';
import { profileRecord } from '../../cli/session/profile-record.ts';
import type { Display } from '../../cli/show/display.ts';
import { findProfile, type Profile } from '../../config/profile.ts';
import { listCredentialSources } from '../../credentials/sources.ts';
import { chooseProfileName, completeProfile } from '../../features/auth/login/profile-questions.ts';
import {
  chooseSource,
  readSecretOf,
  sourceOfFlags,
  whyNoKeychain,
} from '../../features/auth/login/secret-questions.ts';
import { storeLogin } from '../../features/auth/login/store.ts';
import {
  examineCredentials,
  verifyByDescription,
  verifyWithService,
} from '../../features/auth/login/verify.ts';

import { isTokenSource } from '../../tokens/provider.ts';

export default class AuthLogin extends BaseCommand {
  static override readonly summary = 'Check credentials with the service, and store them in a profile.';

  static override readonly description =
    `On a terminal, prompts for anything that the flags do not specify; secrets are not echoed. Otherwise, the secret is read from
standard input (--with-token, --with-key, --with-api-key, --with-basic) or stays in its file (--key-file). The imported
API description says where an API key is sent. Secrets are stored in the keychain of the operating system; where there is none, --insecure-storage stores them in a file that only you can read.`;

  static override readonly flags = {
    ...inGroup('SECRET', {
      'with-token': boolean({ summary: 'Read a token from standard input.' }),
      'with-key': boolean({
        summary: 'Read a private key (PEM, or base64-encoded PEM) from standard input.',
      }),
      'with-api-key': boolean({
        summary: 'Read an API key from standard input, or a JSON object of several by their names.',
      }),
      'with-basic': boolean({ summary: 'Read USER:PASSWORD for HTTP Basic from standard input.' }),
      'key-file': textFlag({
        summary: 'Use the private key in this file; store only its path.',
        helpValue: 'FILE',
      }),
      'insecure-storage': boolean({ summary: 'Store the secret in a file instead of the keychain.' }),
    }),
    yes: boolean({ char: 'y', summary: 'Do not ask before removing the production mark or its address.' }),
    'no-verify': boolean({
      summary: 'Store the secret without checking it with the service.',
      helpGroup: 'SECRET',
    }),
    ...connectionFlags(),
    ...profileFlags(),
    profile: textFlag({ summary: 'Profile to log in to; created if it does not exist.', helpValue: 'NAME' }),
  };

  static override readonly examples = [
    { description: 'Log in interactively:', command: 'payctl auth login' },
    {
      description: 'Store a key in the keychain, from a script:',
      command:
        'payctl auth login --profile sandbox --base-url https://api.acme.example.com --with-key < private_key.pem',
    },
    {
      description: 'Use a key file without copying it:',
      command:
        'payctl auth login --profile sandbox --base-url https://api.acme.example.com --key-file private_key.pem',
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(AuthLogin);
    const { runtime } = this;
    const flagSource = sourceOfFlags(flags);
    const prompter = await runtime.prompter();
    const asker = flagSource === undefined ? prompter : undefined;
    const given = { flag: flags.profile, variable: runtime.environment.profile };
    const name = await chooseProfileName(given, this.configuration.profiles.active, asker);
    const before: Profile = this.configuration.profiles.profiles.get(name) ?? { name };
    const named = { ...flags, profile: name };
    const settings = this.configuration.resolve(flags, { profiles: this.#with(before), inUse: name });
    const display = this.show(settings, flags);

    const storage = flags['insecure-storage'] ? 'file' : 'keychain';
    const noKeychain = asker && storage === 'keychain' ? await whyNoKeychain(runtime.signal) : undefined;
    if (noKeychain) {
      display.info(noKeychain);
      display.info(
        'You can use a private key file without copying it. To store a copy of a key, or a token, run this again with --insecure-storage.',
      );
    }
    const profile = await completeProfile({ before, settings, flags, asker, prompter });
    await confirmProfileChange(before, profile, { runtime, confirmed: flags.yes });
    const source = await chooseSource({ named: flagSource, storage, asker, canCopy: !noKeychain });
    const secret = await readSecretOf(source, { runtime, display, profile });
    const { credentials } = secret;
    const facts = await examineCredentials(credentials, new Date());
    if (!flags['no-verify']) {
      const isToken = isTokenSource(credentials);
      const takesOtherCredentials = !isToken;
      const session = this.openSession(named, {
        profiles: this.#with(profile),
        credentials,
        takesOtherCredentials,
      });
      const { environment } = runtime;
      display.info(
        isToken
          ? await verifyWithService(session, facts.scopes)
          : await verifyByDescription(session, { environment, source: sourceOf(credentials) }),
      );
    }
    const { profiles, active } = await storeLogin({
      directory: this.configuration.directory,
      profile,
      before,
      secret,
      storage,
      signal: runtime.signal,
    });
    await this.#report(display, { profile: findProfile(profiles, name), active, sentence: facts.sentence });
  }

  /** Prints the stored profile, and says which credentials later commands use. */
  async #report(
    display: Display,
    {
      profile,
      active,
      sentence,
    }: { readonly profile: Profile; readonly active: string | undefined; readonly sentence: string },
  ): Promise<void> {
    const { environment } = this.runtime;
    const { name } = profile;
    await display.showRecord(profileRecord(profile, environment.profile ?? active), { brief: true });
    display.info(sentence);
    if (active !== name)
      display.info(`The active profile is still ${active}. Next: payctl profiles use ${name}`);
    const [stronger] = listCredentialSources({ environment, profile: undefined });
    if (stronger) {
      display.info(
        `${stronger.origin} is set and overrides the stored credentials, except with --profile ${name}.`,
      );
    }
  }

  #with(profile: Profile): ReadonlyMap<string, Profile> {
    return new Map([...this.configuration.profiles.profiles, [profile.name, profile]]);
  }
}
