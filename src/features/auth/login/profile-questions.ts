import { checkBaseUrl, type ProfileFlagValues, readProfileFields } from '../../../cli/flags/profile.ts';
import type { Prompter } from '../../../cli/prompt/prompter.ts';
import { checkInstance } from '../../../config/base-url.ts';
import { ENVIRONMENT_VARIABLES } from '../../../config/environment.ts';
import { BUILT_IN_PROFILES, checkProfileName, ENVIRONMENTS, type Profile } from '../../../config/profile.ts';
import { nameOfSource, type Settings } from '../../../config/settings.ts';
import { parseMerchantAccount } from '../../../config/values.ts';
import { UsageError } from '../../../errors.ts';

/** The name of the profile to log in to: the given one, the answer, or the active one; `default` where there is none. */
export async function chooseProfileName(
  { flag, variable }: { readonly flag: string | undefined; readonly variable: string | undefined },
  active: string | undefined,
  asker: Prompter | undefined,
): Promise<string> {
  if (flag !== undefined) return checkProfileName(flag);
  if (variable !== undefined) return nameOfVariable(variable);
  const fallback = active === undefined || BUILT_IN_PROFILES.has(active) ? 'default' : active;
  return (await asker?.ask('Profile name', { fallback, check: checkProfileName })) ?? fallback;
}

function nameOfVariable(name: string): string {
  try {
    return checkProfileName(name);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.code, error.problem, {
      hint: `The name comes from ${ENVIRONMENT_VARIABLES.profile}; --profile NAME chooses another one.`,
    });
  }
}

type QuestionContext = {
  /** The profile as it was. */
  readonly before: Profile;
  /** Resolved from flags, variables and the previous state of the profile. */
  readonly settings: Settings;
  readonly flags: ProfileFlagValues;
  /** Asks for what no flag gives; Enter alone keeps what is known already. */
  readonly asker: Prompter | undefined;
  /** Asks for what is missing. */
  readonly prompter: Prompter | undefined;
};

/** The new state of the profile. @throws UsageError `base_url_missing`, or as `readProfileFields` */
export async function completeProfile({
  before,
  settings,
  flags,
  asker,
  prompter,
}: QuestionContext): Promise<Profile> {
  const { environment, merchantHeader, proxy, rsaAlgorithm } = readProfileFields(flags);
  const known: Profile = {
    ...before,
    baseUrl: settings.baseUrl.value,
    instance: settings.instance.value,
    merchantAccount: settings.merchantAccount.value,
    environment: environment ?? before.environment,
    merchantHeader: merchantHeader ?? before.merchantHeader,
    proxy: proxy ?? before.proxy,
    rsaAlgorithm: rsaAlgorithm ?? before.rsaAlgorithm,
  };
  if (asker) return await askForSettings(asker, { known, settings, flags });
  if (known.baseUrl !== undefined) {
    checkBaseUrl(known.baseUrl, nameOfSource(settings.baseUrl.source));
    return known;
  }
  if (prompter) return { ...known, baseUrl: await askForBaseUrl(prompter, undefined) };
  throw new UsageError('base_url_missing', 'auth login needs a base URL, but cannot prompt for it', {
    hint: 'Add --base-url, for example --base-url https://api.example.com.',
  });
}

type Asked = {
  readonly known: Profile;
  readonly settings: Settings;
  readonly flags: ProfileFlagValues;
};

async function askForSettings(asker: Prompter, { known, settings, flags }: Asked): Promise<Profile> {
  const given = (setting: { readonly source: { readonly kind: string } }) => setting.source.kind === 'flag';
  const baseUrl = (given(settings.baseUrl) && known.baseUrl) || (await askForBaseUrl(asker, known.baseUrl));
  return {
    ...known,
    baseUrl,
    instance: !baseUrl.includes('{id}')
      ? undefined
      : (given(settings.instance) && known.instance) ||
        (await asker.ask('Instance', { fallback: known.instance, check: checkInstance })),
    environment: flags.environment ?? (await askForEnvironment(asker, known.environment)),
    merchantAccount: given(settings.merchantAccount)
      ? known.merchantAccount
      : await askForMerchantAccount(asker, known.merchantAccount),
  };
}

async function askForEnvironment(asker: Prompter, known: Profile['environment']) {
  const question = 'Which environment? payctl asks before changing anything in production.';
  const chosen = await asker.choose(question, ENVIRONMENTS, known && ENVIRONMENTS.indexOf(known));
  return ENVIRONMENTS[chosen];
}

async function askForMerchantAccount(asker: Prompter, known: string | undefined) {
  const answer = await asker.ask('Merchant account (optional)', {
    fallback: known,
    check: (text) => text === '' || parseMerchantAccount(text, 'The merchant account'),
  });
  return answer || undefined;
}

async function askForBaseUrl(prompter: Prompter, known: string | undefined): Promise<string> {
  const check = (answer: string) => checkBaseUrl(answer, 'The base URL');
  // One that cannot be used is not proposed; it may hold a password.
  const fallback = known !== undefined && isUsable(known) ? known : undefined;
  return await prompter.ask('Base URL ({id} is replaced by the instance)', { fallback, check });
}

function isUsable(baseUrl: string): boolean {
  try {
    checkBaseUrl(baseUrl, 'The base URL');
    return true;
  } catch {
    return false;
  }
}
