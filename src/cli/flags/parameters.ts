import type { Interfaces } from '@oclif/core';
import { custom } from '@oclif/core/flags';
import type { QueryValue } from '../../client/call.ts';
import { allowedValues, type Operation, type QueryParameter } from '../../contract/operation.ts';
import { isSecretName } from '../../contract/secret-names.ts';
import { parseExactJson, plainNumber, stringifyExactJson } from '../../json/exact.ts';
import { own } from '../../json/is-object.ts';
import { isAmountMember } from '../../text/amount-names.ts';
import { asSentence, isCutList, isShortId, listValues, quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import type { Runtime } from '../runtime.ts';
import type { MeantValue } from './meant-values.ts';
import { FlagError, repeatable } from './types.ts';

/** The flags of query parameters that an imported description names. */
export type ParameterFlags = {
  readonly flags: Interfaces.FlagInput;
  /** The flag of each parameter, without its dashes. */
  readonly names: ReadonlyMap<string, string>;
};

type ParameterOptions = {
  readonly parameter: QueryParameter;
  readonly isSecret: boolean;
  /** The beginning of a UUID is looked up later. */
  readonly takesShortIds: boolean;
};

/** Whether a value is the beginning of the UUID that a parameter takes. */
export function isShortIdOf({ format }: Pick<QueryParameter, 'format'>, value: unknown): boolean {
  return format === 'uuid' && typeof value === 'string' && isShortId(value);
}

/** A flag for a value that is checked as a description says, before anything is sent. */
const parameterFlag = custom<string, ParameterOptions>({
  parse: async (input, _context, { name, parameter, isSecret, takesShortIds }) => {
    if (takesShortIds && isShortIdOf(parameter, input)) return input;
    if (parameter.pairs) await requirePair(`--${name}`, input, parameter);
    else if (!isSecret) {
      const [meant] = await meantBy(name, input, { parameter });
      await requireValue(`--${name}`, meant ?? input, parameter);
    } else if (!/^(?:@.+|-)$/s.test(input)) {
      throw new FlagError(
        `--${name} takes a secret, which must not be an argument`,
        'Other processes on this machine can read arguments. Use @FILE, or - for standard input.',
      );
    }
    return input;
  },
});

/** @throws FlagError for what is not KEY=VALUE, and for a value that the description does not allow */
async function requirePair(flag: string, input: string, parameter: QueryParameter): Promise<void> {
  const [pair, key = '', value = ''] = /^([^=[\]]+)=(.*)$/s.exec(input) ?? [];
  if (pair === undefined)
    throw new FlagError(
      `${flag} must be KEY=VALUE, not ${quote(input)}`,
      `For example: ${(pairsOf(input) ?? ['order=1234']).map((one) => `${flag} ${shellQuote(one)}`).join(' ')}`,
    );
  if (isSecretName(key)) {
    throw new FlagError(
      `${flag} takes no secret such as ${quote(key)}`,
      'Other processes on this machine can read arguments.',
    );
  }
  await requireValue(`${flag} ${key}`, value, parameter);
}

/** The pairs that a JSON object of texts and numbers means; undefined for any other text, and where the flag refuses one of them. */
function pairsOf(input: string): readonly string[] | undefined {
  try {
    const members = Object.entries({ ...(parseExactJson(input) as object) });
    const isPlain = ([key, value]: [string, unknown]) =>
      !/[=[\]]/.test(key) &&
      !isSecretName(key) &&
      (typeof value === 'string' || plainNumber(value) !== undefined);
    const areTaken = members.length > 0 && members.length <= MOST_PAIRS && members.every(isPlain);
    return areTaken
      ? members.map(
          ([key, value]) => `${key}=${typeof value === 'string' ? value : stringifyExactJson(value)}`,
        )
      : undefined;
  } catch {
    return undefined;
  }
}

/** Pairs that a hint shows. */
const MOST_PAIRS = 4;

/**
 * One flag for each of these parameters, in kebab case: `created_at_gte` is `--created-at-gte`. A name that is taken becomes
 * `--param-NAME`.
 */
export function parameterFlags(
  query: Operation['query'],
  taken: Iterable<string>,
  { takesShortIds = false }: { readonly takesShortIds?: boolean } = {},
): ParameterFlags {
  const names = nameParameters(Object.keys(query), new Set(taken));
  const flags = [...names].map(
    ([name, flag]) => [flag, flagOf(name, query[name] as QueryParameter, takesShortIds)] as const,
  );
  return { flags: Object.fromEntries(flags), names };
}

/** A name as the flags and arguments of commands have them: `createdAt[gte]` is `created-at-gte`, and so is `CreatedAt>`. */
export function kebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[<>]$/, (sign) => (sign === '<' ? '-lte' : '-gte'))
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function nameParameters(names: readonly string[], taken: Set<string>): Map<string, string> {
  const used = new Set(taken);
  return new Map(
    names.map((name) => {
      const plain = kebabCase(name) || 'value';
      let flag = used.has(plain) ? `param-${plain}` : plain;
      for (let count = 2; used.has(flag); count += 1) flag = `param-${plain}-${count}`;
      used.add(flag);
      return [name, flag] as const;
    }),
  );
}

function flagOf(
  name: string,
  parameter: QueryParameter,
  takesShortIds: boolean,
): Interfaces.FlagInput[string] {
  const isSecret = isSecretName(name) && !parameter.pairs;
  const options = parameter.pairs ? undefined : allowedValues(parameter);
  const declaration = {
    parameter,
    isSecret,
    takesShortIds,
    summary: summaryOf(name, parameter),
    helpValue: isSecret ? '@FILE|-' : helpValueOf(name, parameter),
    ...(options && !isSecret ? { options: [...options] } : {}),
  };
  const flag = parameter.multiple
    ? parameterFlag({ ...declaration, ...repeatable })
    : parameterFlag(declaration);
  // What the parser of oclif says about a missing flag has lines of its own; `requireParameters` says it.
  return Object.assign(flag, { isDemanded: parameter.required === true });
}

function summaryOf(name: string, parameter: QueryParameter): string {
  const { summary = `Parameter ${name} of the request.`, required, default: usual } = parameter;
  const usually = usual === undefined || /default/i.test(summary) ? '' : `Default: ${usual}.`;
  const zone = parameter.format === 'date-time' ? 'Local time, unless it has an offset.' : '';
  const isMinor = takesMinorUnits(name, parameter) && !/\b(?:minor|smallest)\b/i.test(summary);
  const unit = isMinor ? 'In minor units, such as 40000, or with its currency: 400.00EUR.' : '';
  // A default of what has to be given is never used.
  return [asSentence(summary), zone, unit, required ? 'Required.' : usually].filter(Boolean).join(' ');
}

/** Whether a parameter, or the flag of this name, is compared with an amount in the smallest unit of its currency. */
function takesMinorUnits(name: string, { type }: QueryParameter): boolean {
  if (type !== 'integer') return false;
  const compared = kebabCase(name).replace(/-(?:eq|gte?|lte?|min|max|from|to)$/, '');
  return isAmountMember(compared.replace(/^(?:param|min|max)-/, ''));
}

const HELP_VALUES: Readonly<Record<string, string>> = {
  'date-time': 'TIME',
  date: 'DATE',
  uuid: 'ID',
  uri: 'URL',
  json: 'JSON',
};

function helpValueOf(name: string, parameter: QueryParameter): string {
  const { type, format = '', minimum, maximum, pairs } = parameter;
  if (pairs) return 'KEY=VALUE';
  if (type === 'boolean') return 'BOOLEAN';
  if (type === 'integer')
    return minimum !== undefined && maximum !== undefined ? `${minimum}..${maximum}` : 'N';
  if (type === 'number') return 'NUMBER';
  return own(HELP_VALUES, format) ?? (/(?:^|_)(?:id|identifier)$/.test(name) ? 'ID' : 'TEXT');
}

type ReadingOptions = {
  readonly query: Operation['query'];
  readonly runtime: Runtime;
  /** Called for each value that payctl sends in another notation than the user typed. */
  readonly onMeant?: (value: MeantValue) => void;
};

/**
 * The query that flags give. A secret is read from its file, or from standard input.
 * @throws FlagError for a required parameter without a value, and for a key that is given twice; UsageError `unreadable_file`; AbortedError
 */
export async function readParameters(
  values: Readonly<Record<string, unknown>>,
  { names }: Pick<ParameterFlags, 'names'>,
  { query, runtime, onMeant }: ReadingOptions,
): Promise<Record<string, QueryValue>> {
  // A parameter may have the name `__proto__`.
  const read: Record<string, QueryValue> = Object.create(null);
  for (const [name, flag] of names) {
    const value = own(values, flag) as string | readonly string[] | undefined;
    if (value === undefined) {
      if (query[name]?.required) throw missing(name, flag, query[name]);
      continue;
    }
    if (query[name]?.pairs) read[name] = [value].flat();
    else if (isSecretName(name)) read[name] = await readSecrets(value, `--${flag}`, runtime);
    else {
      const meant = await meantBy(flag, value, { parameter: query[name], onMeant });
      read[name] = typeof value === 'string' ? (meant[0] ?? value) : meant;
    }
  }
  for (const [name, flag] of names) if (query[name]?.pairs) requireOnce(name, flag, read);
  return read;
}

/** One of two values would count, and nobody could say which. @throws FlagError */
function requireOnce(name: string, flag: string, read: Readonly<Record<string, QueryValue>>): void {
  const given = new Set<string>();
  for (const pair of [read[name] ?? []].flat()) {
    const [key = ''] = String(pair).split('=', 1);
    const isGiven = given.has(key) || read[`${name}[${key}]`] !== undefined;
    if (isGiven) throw new FlagError(`--${flag} has the key ${quote(key)}, which is given twice`);
    given.add(key);
  }
}

async function readSecrets(value: string | readonly string[], flag: string, runtime: Runtime) {
  const { readSecretText } = await import('../read-body.ts');
  const texts: string[] = [];
  for (const given of [value].flat()) texts.push(await readSecretText(given, flag, runtime));
  return texts;
}

function missing(name: string, flag: string, parameter: QueryParameter): FlagError {
  const options = allowedValues(parameter);
  return new FlagError(
    `Missing flag --${flag}`,
    options
      ? `Add --${flag} with one of ${listValues(options)}${isCutList(options) ? '; --help lists all of them' : ''}.`
      : `Add --${flag} ${isSecretName(name) ? '@FILE' : helpValueOf(name, parameter)}${parameter.summary ? `: ${asSentence(parameter.summary)}` : '.'}`,
  );
}

type Meaning = {
  readonly parameter: QueryParameter | undefined;
  readonly onMeant?: ((value: MeantValue) => void) | undefined;
};

/**
 * The values of a flag as payctl sends them: times such as `7d` become instants, amounts with their currency minor units.
 * @throws FlagError for an amount that is neither
 */
async function meantBy(
  flag: string,
  value: string | readonly string[],
  { parameter, onMeant }: Meaning,
): Promise<readonly string[]> {
  const values = [value].flat();
  if (!parameter) return values;
  const isTime = parameter.format === 'date' || parameter.format === 'date-time';
  if (!isTime && !takesMinorUnits(flag, parameter)) return values;
  const { amountMeant, timeMeant } = await import('./parameter-values.ts');
  const meant: string[] = [];
  for (const typed of values) {
    const one = isTime ? await timeMeant(flag, typed, parameter) : await amountMeant(flag, typed);
    if (one !== typed) onMeant?.({ flag: `--${flag}`, typed, meant: one });
    meant.push(one);
  }
  return meant;
}

/**
 * Refuses a value that breaks what a description says about its parameter; the check is loaded for the first value.
 * @throws FlagError with the nearest value that fits
 */
export async function requireValue(what: string, text: string, parameter: QueryParameter): Promise<void> {
  const { checkValue } = await import('./parameter-values.ts');
  checkValue(what, text, parameter);
}
