import type { Interfaces } from '@oclif/core';
import { custom } from '@oclif/core/flags';
import type { QueryValue } from '../../client/call.ts';
import { formats, lengthOf } from '../../contract/compiled-schema.ts';
import type { Operation, QueryParameter } from '../../contract/operation.ts';
import { isSecretName } from '../../contract/secret-names.ts';
import { matchesPattern } from '../../descriptions/within-time.ts';
import { isUuid, quote } from '../../text/format.ts';
import { suggest } from '../../text/suggest.ts';
import { readSecretText } from '../read-body.ts';
import type { Runtime } from '../runtime.ts';
import { FlagError } from './types.ts';

/** The flags of query parameters that an imported description names. */
export type ParameterFlags = {
  readonly flags: Interfaces.FlagInput;
  /** The flag of each parameter, without its dashes. */
  readonly names: ReadonlyMap<string, string>;
};

/** A flag for a value that is checked as a description says, before anything is sent. */
const parameterFlag = custom<string, { readonly parameter: QueryParameter; readonly isSecret: boolean }>({
  parse: async (input, _context, { name, parameter, isSecret }) => {
    if (!isSecret) requireValue(`--${name}`, input, parameter);
    else if (!/^(?:@.+|-)$/s.test(input)) {
      throw new FlagError(
        `--${name} takes a secret, which must not be an argument`,
        'Other processes on this machine can read arguments. Use @FILE, or - for standard input.',
      );
    }
    return input;
  },
});

/**
 * One flag for each of these parameters, in kebab case: `created_at_gte` is `--created-at-gte`. A name that is taken becomes
 * `--param-NAME`.
 */
export function parameterFlags(query: Operation['query'], taken: Iterable<string>): ParameterFlags {
  const names = nameParameters(Object.keys(query), new Set(taken));
  const flags = [...names].map(
    ([name, flag]) => [flag, flagOf(name, query[name] as QueryParameter)] as const,
  );
  return { flags: Object.fromEntries(flags), names };
}

/** A name as the flags and arguments of commands have them: `createdAt[gte]` is `created-at-gte`. */
export function kebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
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

function flagOf(name: string, parameter: QueryParameter): Interfaces.FlagInput[string] {
  const isSecret = isSecretName(name);
  const options = optionsOf(parameter);
  const declaration = {
    parameter,
    isSecret,
    summary: summaryOf(name, parameter),
    helpValue: isSecret ? '@FILE|-' : helpValueOf(name, parameter),
    ...(options && !isSecret ? { options: [...options] } : {}),
  };
  const flag = parameter.multiple
    ? parameterFlag({ ...declaration, multiple: true, multipleNonGreedy: true })
    : parameterFlag(declaration);
  // What the parser of oclif says of a missing flag has lines of its own; `requireParameters` says it.
  return Object.assign(flag, { isDemanded: parameter.required === true });
}

function optionsOf({ enum: values, type }: QueryParameter): readonly string[] | undefined {
  return values ?? (type === 'boolean' ? ['true', 'false'] : undefined);
}

function summaryOf(name: string, parameter: QueryParameter): string {
  const { summary = `Parameter ${name} of the request.`, required, default: usual } = parameter;
  const usually = usual === undefined || /default/i.test(summary) ? '' : `Default: ${usual}.`;
  return [summary, required ? 'Required.' : '', usually].filter(Boolean).join(' ');
}

const HELP_VALUES: Readonly<Record<string, string>> = {
  'date-time': 'TIME',
  date: 'DATE',
  uuid: 'ID',
  uri: 'URL',
};

function helpValueOf(name: string, { type, format = '', minimum, maximum }: QueryParameter): string {
  if (type === 'boolean') return 'BOOLEAN';
  if (type === 'integer')
    return minimum !== undefined && maximum !== undefined ? `${minimum}..${maximum}` : 'N';
  if (type === 'number') return 'NUMBER';
  return HELP_VALUES[format] ?? (/(?:^|_)(?:id|identifier)$/.test(name) ? 'ID' : 'TEXT');
}

/**
 * The query that flags give. A secret is read from its file, or from standard input.
 * @throws FlagError for a required parameter without a value; UsageError `unreadable_file`; AbortedError
 */
export async function readParameters(
  values: Readonly<Record<string, unknown>>,
  { names }: Pick<ParameterFlags, 'names'>,
  { query, runtime }: { readonly query: Operation['query']; readonly runtime: Runtime },
): Promise<Record<string, QueryValue>> {
  const read: Record<string, QueryValue> = {};
  for (const [name, flag] of names) {
    const value = values[flag] as string | readonly string[] | undefined;
    if (value === undefined) {
      if (query[name]?.required) throw missing(flag, query[name]);
      continue;
    }
    read[name] = isSecretName(name) ? await readSecrets(value, `--${flag}`, runtime) : value;
  }
  return read;
}

async function readSecrets(value: string | readonly string[], flag: string, runtime: Runtime) {
  const texts: string[] = [];
  for (const given of [value].flat()) texts.push(await readSecretText(given, flag, runtime));
  return texts;
}

function missing(flag: string, parameter: QueryParameter): FlagError {
  const options = optionsOf(parameter);
  return new FlagError(
    `Missing flag --${flag}`,
    options
      ? `Add --${flag} with one of ${options.join(', ')}.`
      : `Add --${flag}. Add --help to see what it is.`,
  );
}

/** Refuses a value that breaks what a description says of its parameter. @throws FlagError with the nearest value that fits */
export function requireValue(what: string, text: string, parameter: QueryParameter): void {
  if (text === '') throw new FlagError(`${what} cannot be empty`);
  const problem = problemOf(text, parameter);
  if (problem) throw new FlagError(`${what} ${problem.message}, not ${quote(text)}`, problem.hint);
}

type Problem = { readonly message: string; readonly hint?: string };

function problemOf(text: string, parameter: QueryParameter): Problem | undefined {
  const options = optionsOf(parameter);
  if (options) return options.includes(text) ? undefined : choiceProblem(text, options);
  if (parameter.type === 'integer' || parameter.type === 'number') return numberProblem(text, parameter);
  return textProblem(text, parameter);
}

function choiceProblem(text: string, options: readonly string[]): Problem {
  const near = suggest(text, options);
  return {
    message: `must be one of ${options.join(', ')}`,
    ...(near ? { hint: `Did you mean ${near}?` } : {}),
  };
}

function numberProblem(text: string, parameter: QueryParameter): Problem | undefined {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = parameter;
  const noun = type === 'integer' ? 'a whole number' : 'a number';
  const shape = type === 'integer' ? /^-?\d{1,30}$/ : /^-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;
  if (!shape.test(text)) return { message: `must be ${noun}` };
  const value = Number(text);
  const least = minimum ?? exclusiveMinimum;
  const most = maximum ?? exclusiveMaximum;
  const isLow = least !== undefined && (value < least || (minimum === undefined && value === least));
  const isHigh = most !== undefined && (value > most || (maximum === undefined && value === most));
  if (isLow || isHigh) {
    return { message: `must be ${noun} ${rangeOf(parameter)}` };
  }
  return multipleOf !== undefined && !isMultiple(value, multipleOf)
    ? { message: `must be a multiple of ${multipleOf}` }
    : undefined;
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: QueryParameter): string {
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`;
  const least = exclusiveMinimum === undefined ? undefined : `more than ${exclusiveMinimum}`;
  const most = exclusiveMaximum === undefined ? undefined : `less than ${exclusiveMaximum}`;
  const ends = [
    minimum === undefined ? least : `${minimum} or more`,
    maximum === undefined ? most : `${maximum} or less`,
  ];
  return `of ${ends.filter((end) => end !== undefined).join(' and ')}`;
}

function isMultiple(value: number, step: number): boolean {
  const count = value / step;
  return !(step > 0) || Math.abs(count - Math.round(count)) < 1e-9;
}

function textProblem(text: string, parameter: QueryParameter): Problem | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format = '' } = parameter;
  const length = lengthOf(text);
  if (length < minLength) return { message: `must have at least ${minLength} characters` };
  if (length > maxLength) return { message: `must have at most ${maxLength} characters` };
  const check = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (check && !check.test(text)) return { message: `must be ${check.noun}` };
  if (pattern === undefined || matchesPattern(pattern, text)) return undefined;
  return { message: `must match the pattern ${quote(pattern)}` };
}

type Format = { readonly noun: string; readonly test: (text: string) => boolean };

/** The formats that are checked; a text of any other format is left to the service. */
const FORMATS: Readonly<Record<string, Format>> = {
  date: { noun: 'a date such as 2026-03-01', test: formats.date },
  'date-time': { noun: 'a time such as 2026-03-01T10:00:00Z', test: formats['date-time'] },
  uuid: { noun: 'a UUID', test: isUuid },
  email: { noun: 'an email address', test: (text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text) },
  uri: { noun: 'a URI', test: URL.canParse },
};
