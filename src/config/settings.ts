import { MERCHANT_HEADER } from '../contract/generated/operations.ts';
import { UsageError } from '../errors.ts';
import type { OutputName } from '../output/formats.ts';
import { ENVIRONMENT_VARIABLES, type Environment } from './environment.ts';
import {
  BUILT_IN_PROFILES,
  type DescriptionBinding,
  findProfile,
  isLimited,
  type Profile,
  type ProfileEnvironment,
} from './profile.ts';
import {
  parseDuration,
  parseEnvironment,
  parseHeaderPrefix,
  parseMaxRetries,
  parseMerchantAccount,
  parseMerchantHeader,
  parseOutput,
  parseSwitch,
} from './values.ts';

/** The settings that flags give, with the names of the flags. */
const FLAGS = {
  profile: 'profile',
  baseUrl: 'base-url',
  instance: 'instance',
  merchantAccount: 'merchant-account',
  webhookHeaderPrefix: 'header-prefix',
  timeout: 'timeout',
  maxRetries: 'max-retries',
  output: 'output',
  noInput: 'no-input',
  utc: 'utc',
  verbose: 'verbose',
  quiet: 'quiet',
} as const;

type FlagSetting = keyof typeof FLAGS;

/** The flags of the Settings table by their names, as typed: unchecked text. A flag that was not given is left out. */
export type SettingFlags = {
  readonly [Flag in (typeof FLAGS)[FlagSetting]]?: string | boolean | undefined;
} & {
  readonly proxy?: string | undefined;
  /** The short form of `--output json`. */
  readonly json?: boolean | undefined;
};

/** What settings are resolved from. */
export type SettingInputs = {
  readonly flags: SettingFlags;
  readonly environment: Environment;
  readonly profiles: ReadonlyMap<string, Profile>;
  /** Name of the profile in use where neither flag nor variable names one. */
  readonly activeProfile?: string | undefined;
  /** The imported description of runs without a profile. */
  readonly description?: DescriptionBinding | undefined;
};

/** All settings of one run, each with its source. */
export type Settings = {
  /** Undefined when no profile is in use. */
  readonly profile: Setting<Profile | undefined>;
  /** There is an API description other than that of payctl: `PAYCTL_DESCRIPTION`, or an imported one for this run. */
  readonly hasDescription: boolean;
  /** What `PAYCTL_ENVIRONMENT` says; `productionAt` decides whether a request is one to production. */
  readonly environment: Setting<ProfileEnvironment | undefined>;
  /** All profiles that are marked production. */
  readonly productionProfiles: readonly Profile[];
  /** All profiles that limit changes at their origin. */
  readonly limitedProfiles: readonly Profile[];
  /** Nothing is changed: `PAYCTL_READ_ONLY` or the profile in use says so. Neither can lift what the other says. */
  readonly readOnly: Setting<boolean>;
  /** As given, `{id}` not yet filled; `resolveBaseUrl` makes a URL of it. */
  readonly baseUrl: Setting<string | undefined>;
  readonly instance: Setting<string | undefined>;
  /** As given, perhaps with credentials: not to be shown. Not used for every host: `openNetwork` decides. */
  readonly proxy: Setting<string | undefined>;
  /** Undefined: the merchant account header is not sent. */
  readonly merchantAccount: Setting<string | undefined>;
  /** In lower case. */
  readonly merchantHeader: Setting<string>;
  /** In lower case; undefined: that of the contract. */
  readonly webhookHeaderPrefix: Setting<string | undefined>;
  readonly timeoutMilliseconds: Setting<number>;
  readonly maxRetries: Setting<number>;
  readonly output: Setting<OutputName>;
  /** Whether nothing is asked, as if standard input were no terminal. */
  readonly noInput: Setting<boolean>;
  /** Whether a terminal shows times in UTC instead of the zone of the machine. */
  readonly utc: Setting<boolean>;
  readonly verbose: Setting<boolean>;
  readonly quiet: Setting<boolean>;
};

type Name = FlagSetting | 'merchantHeader' | 'environment' | 'readOnly';
type Text = { readonly text: string; readonly source: SettingSource };

const PROFILE_FIELDS = [
  'baseUrl',
  'instance',
  'merchantAccount',
  'merchantHeader',
  'webhookHeaderPrefix',
  'timeout',
  'maxRetries',
  'output',
  'utc',
] as const;
const DEFAULT: SettingSource = { kind: 'default' };

/**
 * Resolves every setting by the one rule: flag, else profile named with `--profile`, else environment variable, else active
 * profile (`PAYCTL_PROFILE` chooses it), else default.
 * @throws UsageError that names the flag, variable or profile with the invalid value: `unknown_profile`, `invalid_duration`,
 * `invalid_max_retries`, `invalid_output`, `invalid_switch`, `invalid_merchant_account`, `invalid_merchant_header`,
 * `invalid_header_prefix`,
 * `invalid_environment`, `format_conflict`.
 */
export function resolveSettings(inputs: SettingInputs): Settings {
  requireOneFormat(inputs.flags);
  const profile = resolveProfile(inputs);
  const find = (name: Name) => findText(name, inputs, profile.value);
  const asGiven = (text: string) => text;
  return {
    profile,
    hasDescription:
      inputs.environment.description !== undefined || bindingFor(inputs, profile.value) !== undefined,
    environment: settle(environmentText('environment', inputs.environment), parseEnvironment, undefined),
    productionProfiles: [...inputs.profiles.values()].filter(
      ({ environment }) => environment === 'production',
    ),
    limitedProfiles: [...inputs.profiles.values()].filter(isLimited),
    readOnly: resolveReadOnly(inputs.environment, profile.value),
    baseUrl: settle(find('baseUrl'), asGiven, undefined),
    instance: settle(find('instance'), asGiven, undefined),
    proxy: resolveProxy(inputs, profile),
    merchantAccount: settle(find('merchantAccount'), parseMerchantAccount, undefined),
    merchantHeader: settle(
      find('merchantHeader'),
      parseMerchantHeader,
      bindingFor(inputs, profile.value)?.merchantHeader ?? MERCHANT_HEADER,
    ),
    webhookHeaderPrefix: settle(find('webhookHeaderPrefix'), parseHeaderPrefix, undefined),
    timeoutMilliseconds: settle(find('timeout'), parseDuration, 30_000),
    maxRetries: settle(find('maxRetries'), parseMaxRetries, 3),
    output: settle(find('output'), parseOutput, 'table'),
    noInput: settle(find('noInput'), parseSwitch, false),
    utc: settle(find('utc'), parseSwitch, false),
    verbose: settle(find('verbose'), parseSwitch, false),
    quiet: settle(find('quiet'), parseSwitch, false),
  };
}

/** The format that `--json` is short for. */
const SHORT_FORM: string = 'json';

/** @throws UsageError `format_conflict` where `--json` and `--output` name different formats */
export function requireOneFormat({ json, output }: SettingFlags): void {
  if (!json || output === undefined || output === SHORT_FORM) return;
  throw new UsageError('format_conflict', `--json and --output ${output} name different formats`, {
    hint: 'Remove one of them.',
  });
}

/** The imported description of a profile, or of runs without one. */
function bindingFor({ description }: SettingInputs, profile: Profile | undefined) {
  return profile ? profile.description : description;
}

function resolveProfile({
  flags,
  environment,
  profiles,
  activeProfile,
}: SettingInputs): Setting<Profile | undefined> {
  const named = flagText('profile', flags) ?? environmentText('profile', environment);
  if (named) {
    const why = named.source.kind === 'environment' ? `${named.source.name} names it` : undefined;
    return { value: findProfile(profiles, named.text, why), source: named.source };
  }
  if (activeProfile === undefined) return { value: undefined, source: DEFAULT };
  const value = findProfile(profiles, activeProfile, 'it is set as the active profile');
  return { value, source: { kind: 'active' } };
}

function resolveReadOnly(environment: Environment, profile: Profile | undefined): Setting<boolean> {
  const variable = settle(environmentText('readOnly', environment), parseSwitch, false);
  if (variable.value || profile?.access !== 'read') return variable;
  return { value: true, source: { kind: 'profile', name: profile.name } };
}

/** Variables that name a proxy, the one that wins first. HTTP_PROXY is not among them: plain http stays on this machine. */
const PROXY_VARIABLES = ['proxy', 'lowerHttpsProxy', 'httpsProxy', 'lowerAllProxy', 'allProxy'] as const;

/** The flag, else a profile that a flag names, else a variable, else the other profile. */
function resolveProxy(
  { flags, environment }: SettingInputs,
  profile: Settings['profile'],
): Settings['proxy'] {
  if (flags.proxy) return { value: flags.proxy, source: { kind: 'flag', name: '--proxy' } };
  const { name = '', proxy } = profile.value ?? {};
  const stored: Settings['proxy'] = proxy
    ? { value: proxy, source: { kind: 'profile', name } }
    : { value: undefined, source: DEFAULT };
  if (proxy && profile.source.kind === 'flag') return stored;
  const variable = PROXY_VARIABLES.find((candidate) => environment[candidate] !== undefined);
  if (variable === undefined) return stored;
  return {
    value: environment[variable],
    source: { kind: 'environment', name: ENVIRONMENT_VARIABLES[variable] },
  };
}

function settle<Value>(
  found: Text | undefined,
  parse: (text: string, origin: string) => Value,
  otherwise: Value,
): Setting<Value> {
  return found
    ? { value: parse(found.text, nameOfSource(found.source)), source: found.source }
    : { value: otherwise, source: DEFAULT };
}

function findText(
  name: Name,
  { flags, environment }: SettingInputs,
  profile: Profile | undefined,
): Text | undefined {
  const ofProfile = () => profileText(name, profile);
  const ofVariable = () => environmentText(name, environment);
  if (flags.profile === undefined) return flagText(name, flags) ?? ofVariable() ?? ofProfile();
  // A built-in profile has an address without a base URL.
  const isAddressed = name === 'baseUrl' && profile !== undefined && BUILT_IN_PROFILES.has(profile.name);
  return flagText(name, flags) ?? ofProfile() ?? (isAddressed ? undefined : ofVariable());
}

/** Whether requests go to the emulator of its profile, which has another address in each run. */
export function usesEmulator({ profile, baseUrl }: Pick<Settings, 'profile' | 'baseUrl'>): boolean {
  return profile.value?.name === 'emulator' && baseUrl.value === undefined;
}

/** Whether the profile was named with `--profile`: then all that it holds precedes environment variables. */
export function isNamedProfile({ profile }: Settings): boolean {
  return profile.source.kind === 'flag';
}

function flagText(name: Name, flags: SettingFlags): Text | undefined {
  if (name === 'merchantHeader' || name === 'environment' || name === 'readOnly') {
    return undefined;
  }
  if (name === 'output' && flags.json) {
    return { text: SHORT_FORM, source: { kind: 'flag', name: '--json' } };
  }
  const flag = FLAGS[name];
  const value = flags[flag];
  return value === undefined
    ? undefined
    : { text: String(value), source: { kind: 'flag', name: `--${flag}` } };
}

function environmentText(name: Name, environment: Environment): Text | undefined {
  if (name === 'quiet') {
    return undefined;
  }
  const text = environment[name];
  return text === undefined
    ? undefined
    : { text, source: { kind: 'environment', name: ENVIRONMENT_VARIABLES[name] } };
}

function profileText(name: Name, profile: Profile | undefined): Text | undefined {
  const field = PROFILE_FIELDS.find((candidate) => candidate === name);
  const text = field && profile?.[field];
  return profile && text !== undefined
    ? { text, source: { kind: 'profile', name: profile.name } }
    : undefined;
}

/** Where the value of a setting came from. */
export type SettingSource =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'profile'; readonly name: string }
  /** The profile that `profiles use` made the active one. */
  | { readonly kind: 'active' }
  | { readonly kind: 'default' };

/** The value that won, and the source that it won from. */
export type Setting<Value> = { readonly value: Value; readonly source: SettingSource };

/** A source as messages name it: `--timeout`, `PAYCTL_TIMEOUT`, `profile emulator`, `the active profile`, `default`. */
export function nameOfSource(source: SettingSource): string {
  switch (source.kind) {
    case 'flag':
    case 'environment':
      return source.name;
    case 'profile':
      return `profile ${source.name}`;
    case 'active':
      return 'the active profile';
    case 'default':
      return 'default';
  }
}
