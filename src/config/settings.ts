import { MERCHANT_HEADER } from '../contract/generated/operations.ts';
import type { OutputFormat } from '../output/format.ts';
import { ENVIRONMENT_VARIABLES, type Environment } from './environment.ts';
import { findProfile, type Profile } from './profiles.ts';
import {
  parseDuration,
  parseMaxRetries,
  parseMerchantAccount,
  parseMerchantHeader,
  parseOutput,
  parseSwitch,
} from './values.ts';

/** The flags of the Settings table as typed: unchecked text. A flag that was not given is left out. */
export type SettingFlags = {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly instance?: string | undefined;
  readonly merchantAccount?: string | undefined;
  readonly timeout?: string | undefined;
  readonly maxRetries?: string | undefined;
  readonly output?: string | undefined;
  /** `--json`, the short form of `--output json`; it wins over `output`. */
  readonly json?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly quiet?: boolean | undefined;
};

/** What settings are resolved from. */
export type SettingInputs = {
  readonly flags: SettingFlags;
  readonly environment: Environment;
  readonly profiles: ReadonlyMap<string, Profile>;
  /** Name of the profile in use where neither flag nor variable names one. */
  readonly activeProfile?: string | undefined;
};

/** All settings of one run, each with its source. */
export type Settings = {
  /** Undefined when no profile is in use. */
  readonly profile: Setting<Profile | undefined>;
  /** As given, `{id}` not yet filled; `resolveBaseUrl` makes a URL of it. */
  readonly baseUrl: Setting<string | undefined>;
  readonly instance: Setting<string | undefined>;
  /** Undefined: the merchant account header is not sent. */
  readonly merchantAccount: Setting<string | undefined>;
  /** In lower case. */
  readonly merchantHeader: Setting<string>;
  readonly timeoutMilliseconds: Setting<number>;
  readonly maxRetries: Setting<number>;
  readonly output: Setting<OutputFormat>;
  readonly verbose: Setting<boolean>;
  readonly quiet: Setting<boolean>;
};

type FlagName = Exclude<keyof SettingFlags, 'json'>;
type Name = FlagName | 'merchantHeader';
type Text = { readonly text: string; readonly source: SettingSource };

const FLAG_NAMES: Readonly<Record<FlagName, string>> = {
  profile: '--profile',
  baseUrl: '--base-url',
  instance: '--instance',
  merchantAccount: '--merchant-account',
  timeout: '--timeout',
  maxRetries: '--max-retries',
  output: '--output',
  verbose: '--verbose',
  quiet: '--quiet',
};

const PROFILE_FIELDS = ['baseUrl', 'instance', 'merchantAccount', 'merchantHeader', 'output'] as const;
const DEFAULT: SettingSource = { kind: 'default' };

/**
 * Resolves every setting by the one rule: flag, else environment variable, else profile, else default.
 * @throws UsageError that names the flag, variable or profile with the invalid value: `unknown_profile`, `invalid_duration`,
 * `invalid_max_retries`, `invalid_output`, `invalid_switch`, `invalid_merchant_account`, `invalid_merchant_header`.
 */
export function resolveSettings(inputs: SettingInputs): Settings {
  const profile = resolveProfile(inputs);
  const find = (name: Name) => findText(name, inputs, profile.value);
  const asGiven = (text: string) => text;
  return {
    profile,
    baseUrl: settle(find('baseUrl'), asGiven, undefined),
    instance: settle(find('instance'), asGiven, undefined),
    merchantAccount: settle(find('merchantAccount'), parseMerchantAccount, undefined),
    merchantHeader: settle(find('merchantHeader'), parseMerchantHeader, MERCHANT_HEADER),
    timeoutMilliseconds: settle(find('timeout'), parseDuration, 30_000),
    maxRetries: settle(find('maxRetries'), parseMaxRetries, 3),
    output: settle(find('output'), parseOutput, 'table'),
    verbose: settle(find('verbose'), parseSwitch, false),
    quiet: settle(find('quiet'), parseSwitch, false),
  };
}

function resolveProfile({
  flags,
  environment,
  profiles,
  activeProfile,
}: SettingInputs): Setting<Profile | undefined> {
  const named = flagText('profile', flags) ?? environmentText('profile', environment);
  if (named) {
    return settle(named, (text, origin) => findProfile(profiles, text, origin), undefined);
  }
  return activeProfile === undefined
    ? { value: undefined, source: DEFAULT }
    : { value: findProfile(profiles, activeProfile, 'The active profile'), source: { kind: 'active' } };
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
  return flagText(name, flags) ?? environmentText(name, environment) ?? profileText(name, profile);
}

function flagText(name: Name, flags: SettingFlags): Text | undefined {
  if (name === 'merchantHeader') {
    return undefined;
  }
  if (name === 'output' && flags.json) {
    return { text: 'json', source: { kind: 'flag', name: '--json' } };
  }
  const value = flags[name];
  return value === undefined
    ? undefined
    : { text: String(value), source: { kind: 'flag', name: FLAG_NAMES[name] } };
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
