import { isPersonalName } from '../../../contract/personal-names.ts';
import { isSecretName, MASK } from '../../../contract/secret-names.ts';
import { isObject } from '../../../json/is-object.ts';
import { decodeComponent } from '../../../text/decode.ts';
import { hostOf, pathOf } from '../entry.ts';
import { contractTemplate, isParameter, segmentsBelow } from '../template.ts';

/** What personal data and tokens look like wherever they stand, and what their pseudonyms are called; the first match wins. */
const PATTERNS: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  {
    kind: 'token',
    pattern: /-----BEGIN [A-Z0-9 ]{1,40}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,40}-----|$)/g,
  },
  // A parameter of a path segment, such as `;session=...`.
  { kind: 'token', pattern: /(?<=;[\w.-]{1,64}=)[^;/?#\s]{1,500}/g },
  { kind: 'token', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { kind: 'token', pattern: /\b(?:xox[a-z]|gh[a-z]|glpat|AIza)[_-]?[\w-]{10,}/g },
  { kind: 'token', pattern: /(?<=\b(?:cvv2?|cvc2?|pin)[ :=]{1,3})\d{3,6}\b/gi },
  { kind: 'token', pattern: /eyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?/g },
  { kind: 'token', pattern: /(?<=\b(?:Bearer|Basic)(?: |%20|\+))[\w.~+/=-]{8,}/gi },
  { kind: 'token', pattern: /\b(?:sk|pk|rk|key|tok|token|secret|whsec)[_-][\w-]{8,}/gi },
  {
    kind: 'email',
    pattern: /[\p{L}\p{N}._+'-]{1,64}(?:@|%40)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
  },
  {
    kind: 'external-identifier',
    pattern: /(?<=identifier[^'"\w]{1,3}['"])[^'"]{1,200}(?=['"])/gi,
  },
  { kind: 'id', pattern: /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi },
  { kind: 'number', pattern: /\d(?:[ -]?\d){12,}/g },
  { kind: 'phone', pattern: /(?:\+|%2B|(?<!\w)00)\d(?:[ ().-]{0,2}\d){6,14}/gi },
  { kind: 'phone', pattern: /(?<![\w.-])\(?0\d{2,4}\)?[ -]\d{3,4}[ -]?\d{3,4}(?![\w-])/g },
  { kind: 'token', pattern: /(?<![\w-])(?=[\w+/=-]{0,39}\d)(?=[\w+/=-]{0,39}[A-Za-z])[\w+/=-]{40,}/g },
];

/** Parameters whose values are words of the contract or names of payment services, not of a person. */
const OPEN_PARAMETERS = new Set([
  'limit',
  'status',
  'action',
  'resource_type',
  'payment_service_definition_id',
]);
/** The members of a detail that may hold the value that was rejected. */
const REJECTED = new Set(['input', 'ctx', 'value', 'given']);
/** Characters of a text that are shown. */
const LONGEST = 20_000;
/** Levels of JSON that are shown. */
const DEEPEST = 30;
/** A personal value that is shorter is not looked for in other texts: it would be found in any word. */
const SHORTEST = 4;

/**
 * Replaces personal data, ids, tokens and secrets by pseudonyms: the same value has the same one everywhere, such as `buyer-1`
 * or `email-2`. The values of one report share one of these.
 */
export class Pseudonyms {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** Values that are personal by the names of their members. */
  readonly #personal = new Set<string>();
  readonly #basePath: string;

  constructor(basePath = '') {
    this.#basePath = basePath;
  }

  /** A text of the service or of the user, up to 20,000 characters. */
  text(text: string): string {
    let masked = text.slice(0, LONGEST);
    for (const value of this.#personal) {
      if (masked.includes(value)) masked = masked.replaceAll(value, this.#nameOf('value', value));
    }
    for (const { kind, pattern } of PATTERNS) {
      masked = masked.replace(pattern, (value) => this.#nameOf(kind, value));
    }
    return masked;
  }

  /** An address: ids of its path by the parameters of the contract, and every value of its query but those of fixed words. */
  url(url: string): string {
    const path = pathOf(url);
    const segments = segmentsBelow(path, this.#basePath);
    const template = contractTemplate(segments);
    const below = segments.map((segment, index) => {
      const part = template?.[index] ?? '';
      const name = isParameter(part) ? part.slice(1, -1) : '';
      const isOpen = name === '' || OPEN_PARAMETERS.has(name);
      return isOpen ? this.text(decodeComponent(segment)) : this.#id(name, segment);
    });
    const base = path.slice(0, Math.max(0, path.length - `/${segments.join('/')}`.length));
    const query = /\?([^#]*)/.exec(url)?.[1];
    const pairs = query?.split('&').map((pair) => this.#pair(pair));
    return `${this.text(hostOf(url))}${this.text(base)}/${below.join('/')}${pairs ? `?${pairs.join('&')}` : ''}`;
  }

  /** Any JSON value. What it has of a person is replaced in its other texts, too. */
  value(value: unknown): unknown {
    // The first time finds what is personal by its name.
    this.#value(value, '', 0);
    return this.#value(value, '', 0);
  }

  #value(value: unknown, name: string, depth: number): unknown {
    if (value === null || value === undefined) return value;
    if (isSecretName(name)) return MASK;
    if (isPersonalName(name)) return this.#everything(value, name, depth);
    if (depth >= DEEPEST) return '\u2026';
    if (Array.isArray(value)) return value.map((part) => this.#value(part, name, depth + 1));
    if (isObject(value)) return this.#object(value, depth);
    const text = typeof value === 'string' ? value : String(value);
    if (/_id$|identifier$/.test(name)) return this.#id(name, text);
    const masked = this.text(text);
    return masked === text ? value : masked;
  }

  /** The value that a detail says was rejected is as secret as the member that it is of. */
  #object(object: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
    const rejected = rejectedNames(object).find((part) => isSecretName(part) || isPersonalName(part));
    const members = Object.entries(object).map(([name, value]) => {
      const of = REJECTED.has(name) ? (rejected ?? name) : name;
      return [this.text(name), this.#value(value, of, depth + 1)];
    });
    return Object.fromEntries(members);
  }

  /** A value in which everything is personal. */
  #everything(value: unknown, name: string, depth: number): unknown {
    if (value === null) return value;
    if (depth >= DEEPEST) return '\u2026';
    if (Array.isArray(value)) return value.map((part) => this.#everything(part, name, depth + 1));
    if (!isObject(value)) return this.#person(name, String(value));
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([key, part]) => [this.text(key), this.#everything(part, key, depth + 1)]),
    );
  }

  #person(name: string, value: string): string {
    if (value.length >= SHORTEST) this.#personal.add(value);
    return value === '' ? value : this.#nameOf(kindOf(name), value);
  }

  /** An id is named after what it is the id of: `buyer_id` gives `buyer-1`. */
  #id(name: string, value: string): string {
    return value === '' ? value : this.#nameOf(kindOf(name.replace(/_id$/, '')), decodeComponent(value));
  }

  #pair(pair: string): string {
    const at = pair.indexOf('=');
    if (at === -1) return this.text(decodeComponent(pair));
    const name = decodeComponent(pair.slice(0, at));
    const value = decodeComponent(pair.slice(at + 1).replaceAll('+', ' '));
    if (isSecretName(name)) return `${this.text(name)}=${MASK}`;
    return `${this.text(name)}=${OPEN_PARAMETERS.has(name) ? this.text(value) : this.#id(name, value)}`;
  }

  #nameOf(kind: string, value: string): string {
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

/** What the pseudonyms of a member's values are called: by its name, unless that may say something itself. */
function kindOf(name: string): string {
  return /^[a-z][a-z_]{0,29}$/i.test(name) ? name.replaceAll('_', '-').toLowerCase() : 'value';
}

/** The names of the member that a detail of an error is about: of its pointer, or of `loc`. */
function rejectedNames({ pointer, loc }: Readonly<Record<string, unknown>>): readonly string[] {
  if (Array.isArray(loc)) return loc.filter((part) => typeof part === 'string');
  return typeof pointer === 'string' ? pointer.split('/') : [];
}
