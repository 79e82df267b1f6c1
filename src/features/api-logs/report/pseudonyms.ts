import { MASK } from '../../../contract/secret-names.ts';
import { isJson } from '../../../json/is-json.ts';
import { isObject } from '../../../json/is-object.ts';
import { isUuid } from '../../../text/format.ts';
import { decodeFully, isOpenName, type MaskRules, maskPath, maskUrl } from './addresses.ts';
import { KnownValues } from './known-values.ts';
import { isReferenceNumber } from './long-numbers.ts';
import { isNameOfPerson, isRejected, isRemark, rejectedName, sensitivityOf } from './sensitive-names.ts';
import { maskText } from './text-masking.ts';

/** Characters of a text that are shown. */
const LONGEST = 20_000;
/** Levels of JSON that are shown. */
const DEEPEST = 30;

/**
 * Replaces personal data, ids, tokens and secrets by pseudonyms: the same value has the same one everywhere, such as `buyer-1`
 * or `email-2`. The values of one report share one of these.
 */
export class Pseudonyms implements MaskRules {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** Values that are personal, or secret, by the names of their members. */
  readonly #personal = new KnownValues();
  readonly #secrets = new KnownValues();

  /** The path of the base URL, which the paths of the contract are below. */
  readonly basePath: string;

  constructor(basePath = '') {
    this.basePath = basePath;
  }

  /** A text of the service or of the user, up to 20,000 characters. */
  text(text: string): string {
    return maskText(text.slice(0, LONGEST), this);
  }

  /** An address: ids of its path by the parameters of the contract, and every value of its query but those of fixed words. */
  url(url: string): string {
    return maskUrl(url, this);
  }

  /** A path, or the template of one. */
  path(path: string): string {
    return maskPath(path, this);
  }

  /** Any JSON value. What it has of a person is replaced in its other texts, too. */
  value(value: unknown): unknown {
    // The first time finds what is personal by its name.
    this.#value(value, '', 0);
    return this.#value(value, '', 0);
  }

  #value(value: unknown, name: string, depth: number, isPair = false): unknown {
    if (value === null || value === undefined || typeof value === 'boolean') return value;
    if (isRemarks(value)) return this.#remarks(value);
    const kind = sensitivityOf(name, value);
    if (kind === 'secret') return this.#secret(value);
    if (kind === 'personal') return this.#everything(value, name, depth);
    if (depth >= DEEPEST) return '\u2026';
    if (Array.isArray(value)) return this.#array(value, name, depth, isPair);
    if (isObject(value)) return this.#object(value, name, depth);
    const text = String(value);
    if (IS_ID.test(name) && !isOpenName(name)) {
      return IS_TRACE.test(name) ? (isUuid(text) ? value : this.text(text)) : this.id(name, text);
    }
    // Four numbers may be an IP address.
    if (/version$/i.test(name) && /^v?\d+(?:\.\d+){0,5}$/.test(text)) return value;
    if (isReferenceNumber(text, `${name}:`)) return value;
    const masked = this.#inner(text, depth) ?? this.text(text);
    return masked === text ? value : masked;
  }

  /** A JSON document in a text; undefined for every other text. */
  #inner(text: string, depth: number): string | undefined {
    if (!/^\s*[[{]/.test(text) || text.length > LONGEST || !isJson(text)) return undefined;
    return JSON.stringify(this.#value(JSON.parse(text), '', depth + 1));
  }

  /** A list may hold a name before its value, as lists of headers do; and a list of pairs holds nothing else. */
  #array(values: readonly unknown[], name: string, depth: number, isPair: boolean): readonly unknown[] {
    const holdsPairs = values.every((part) => Array.isArray(part) && part.length === 2);
    return values.map((part, at) =>
      this.#value(part, nameBefore(values, at, isPair) ?? name, depth + 1, holdsPairs),
    );
  }

  /** The value that a detail says was rejected is as sensitive as the member that it is of, also where its message quotes it. */
  #object(object: Readonly<Record<string, unknown>>, owner: string, depth: number): Record<string, unknown> {
    const rejected = rejectedName(object);
    const columns = columnsOf(object);
    const members = Object.entries(object).map(([name, value]) => {
      if (rejected !== undefined && typeof value === 'string' && /^(?:message|msg)$/.test(name)) {
        return [name, this.text(this.#quoted(value, rejected))];
      }
      if (columns !== undefined && Array.isArray(value)) {
        if (value === columns) return [name, columns.map((column) => this.text(column))];
        if (ROWS.test(name)) return [name, this.#rows(value, columns, depth + 1)];
      }
      if (isNameOfPerson(name, object, owner) && !isRemarks(value)) {
        return [this.text(name), this.#everything(value, name, depth + 1)];
      }
      return [this.text(name), this.#value(value, isRejected(name) ? (rejected ?? name) : name, depth + 1)];
    });
    return Object.fromEntries(members);
  }

  /** A row of values, or rows of them, whose names are those of the columns. */
  #rows(values: readonly unknown[], columns: readonly string[], depth: number): readonly unknown[] {
    const areRows = depth < DEEPEST && values.every((part) => Array.isArray(part));
    return values.map((part, at) => {
      if (areRows && Array.isArray(part)) return this.#rows(part, columns, depth + 1);
      return this.#value(part, isObject(part) ? '' : (columns[at] ?? ''), depth + 1);
    });
  }

  /** The values that a message quotes, but neither names of members nor patterns. */
  #quoted(message: string, name: string): string {
    return message.replace(/(["'`])([^"'`\n]{1,200})\1/g, (quoted, quote: string, value: string) => {
      const isShown =
        value.startsWith('^') || isRemark(value) || sensitivityOf(value, 'x00000') !== undefined;
      const isName = /^\/|^[a-z]+(?:_[a-z]+)+$/.test(value);
      if (isShown || isName) return quoted;
      const isSecret = sensitivityOf(name, value) === 'secret';
      return `${quote}${isSecret ? this.#secret(value) : this.person(name, value)}${quote}`;
    });
  }

  /** A value in which everything is personal. */
  #everything(value: unknown, name: string, depth: number): unknown {
    if (value === null) return value;
    if (depth >= DEEPEST) return '\u2026';
    if (Array.isArray(value)) return value.map((part) => this.#everything(part, name, depth + 1));
    if (!isObject(value)) return this.person(name, String(value));
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([key, part]) => [this.text(key), this.#everything(part, key, depth + 1)]),
    );
  }

  /** Replaces what an earlier value had of a person, and its secrets. */
  replaceKnown(text: string, put: (masked: string) => string): string {
    const open = this.#secrets.replace(text, () => put(MASK));
    return this.#personal.replace(open, (value) => put(this.nameOf('value', value)));
  }

  /** The pseudonym of a personal value, by the name of its member. The value is then known in other texts, too. */
  person(name: string, value: string): string {
    if (value === '') return value;
    this.#personal.add(value);
    return this.nameOf(kindOf(name), value);
  }

  /** A secret has no pseudonym. What looks like one is masked in other texts, too. */
  #secret(value: unknown): string {
    if (typeof value === 'string' && /^(?=.{0,200}[\dA-Z!-/:-@])\S{6,200}$/.test(value))
      this.#secrets.add(value);
    return MASK;
  }

  #remarks(value: string | readonly string[]): unknown {
    return typeof value === 'string' ? this.text(value) : value.map((remark) => this.text(remark));
  }

  /** An id is named after what it is the id of: `buyer_id` gives `buyer-1`. */
  id(name: string, value: string): string {
    return value === ''
      ? value
      : this.nameOf(kindOf(name.replace(/_id$|(?<=[a-z])Id$/, '')), decodeFully(value));
  }

  nameOf(kind: string, value: string): string {
    const key = value.replace(/%40/gi, '@').toLowerCase();
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `${kind}-${count}`;
    this.#names.set(key, name);
    return name;
  }
}

/** Members that hold an ID, and those that hold a request ID, which helps to find the request and identifies nobody. */
const IS_ID = /_id$|identifier$|[a-z]Id$/;
const IS_TRACE = /(?:request|trace|correlation|span)_?id$/i;

/** Whether a value, or each of several, only says something of a value: `{"password": ["is too short"]}`. */
function isRemarks(value: unknown): value is string | readonly string[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts.length > 0 && texts.every((text) => typeof text === 'string' && isRemark(text));
}

/** The prefix of the pseudonyms of a member's values: its name, unless that may itself be sensitive. */
function kindOf(name: string): string {
  const words = name.replace(/(?<=[a-z])(?=[A-Z])|[\s-]+/g, '_');
  return /^[a-z][a-z_]{0,29}$/i.test(words) ? words.replaceAll('_', '-').toLowerCase() : 'value';
}

/** What may stand between a name and its value. */
const OPERATOR = /^(?:[=!<>~]{1,3}|eq|neq?|[gl]te?|in|is|i?like|contains|equals)$/i;

/** The name that is before an element, if the element is its value: outside a list of pairs, only a sensitive one. */
function nameBefore(values: readonly unknown[], at: number, isPair: boolean): string | undefined {
  const last = values[at - 1];
  const before = typeof last === 'string' && OPERATOR.test(last) ? values[at - 2] : last;
  if (typeof before !== 'string') return undefined;
  const kind = sensitivityOf(before, values[at]);
  const isLoose = isPair || (kind === 'secret' && values.length === 2);
  return (isPair || kind !== undefined) && isValue(values[at], isLoose) ? before : undefined;
}

/** Whether what follows a sensitive name is neither an index nor another name; only a list of pairs has values that look like names. */
function isValue(value: unknown, isLoose: boolean): boolean {
  if (typeof value === 'number') return value >= 1000;
  if (typeof value !== 'string') return isLoose;
  const isName = /^(?:[a-z_-]+(?:[A-Z][a-z]+)*)?$/.test(value) || OPERATOR.test(value);
  return !isName || (isLoose && sensitivityOf(value, 'x00000') === undefined);
}

const COLUMNS = /^(?:names|keys|fields|columns|labels|headers)$/;
const ROWS = /^(?:values|rows?)$/;

/** The names of the values of a table, such as `{"names": [...], "values": [...]}`. */
function columnsOf(object: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const members = Object.entries(object);
  if (!members.some(([name]) => ROWS.test(name))) return undefined;
  return members.flatMap(([name, value]) => (COLUMNS.test(name) && isTexts(value) ? [value] : []))[0];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}
