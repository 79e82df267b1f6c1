import { contractTemplate, isParameter, segmentsBelow } from '../../../cli/routing/catalog/paths.ts';
import { unescapeText } from '../../../cli/secrets/escapes.ts';
import { isPlainPair } from '../../../cli/secrets/redact.ts';
import { MASK } from '../../../contract/secret-names.ts';
import { decodeComponent } from '../../../text/decode.ts';
import { hostOf, pathOf } from '../entry.ts';
import { isRemark, sensitivityOf } from './sensitive-names.ts';

/** How what is sensitive is replaced, wherever it is found. */
export type MaskRules = {
  readonly basePath: string;
  /** Masks a text. */
  text(text: string): string;
  /** Masks an id by the name of the member that holds it. */
  id(name: string, value: string): string;
  /** Masks personal data by the name of its member. */
  person(name: string, value: string): string;
  nameOf(kind: string, value: string): string;
  /** Masks values that are known from other texts. */
  replaceKnown(text: string, put: (masked: string) => string): string;
};

/** A percent-escape, or an escape of JSON for a character that a pattern looks for. */
const ESCAPED = /%[\da-f]{2}|\\u(?:00|20|fe|ff)[\da-f]{2}/i;
/** How many levels of escapes are decoded. */
const MOST_LAYERS = 4;

/** A text without the escapes of addresses and JSON, also those that were escaped again. */
export function decodeFully(text: string): string {
  let plain = text;
  for (let layer = 0; layer < MOST_LAYERS && ESCAPED.test(plain); layer += 1) {
    plain = plain.includes('\\u') ? unescapeText(plain) : decodeComponent(plain);
  }
  return plain;
}

/** Parameters whose values are names of payment services, not of a person. */
const OPEN_PARAMETERS = new Set(['payment_service_definition_id', 'resource_type']);

/** Whether the values of a member or parameter are shown. */
export function isOpenName(name: string): boolean {
  return OPEN_PARAMETERS.has(name);
}

/** An address without its scheme and user: ids of its path by the contract, and of its query only what identifies nobody. */
export function maskUrl(url: string, rules: MaskRules): string {
  const query = /\?([^#]*)/.exec(url)?.[1];
  const pairs = query?.split('&').map((pair) => maskPair(pair, rules));
  return `${rules.text(hostOf(url))}${maskPath(pathOf(url), rules)}${pairs ? `?${pairs.join('&')}` : ''}`;
}

/** An address within a text, with its scheme; of a user and a password nothing is left. */
export function maskAddress(address: string, rules: MaskRules): string {
  const start = address.indexOf('://') + 3;
  const scheme = address.slice(0, start);
  const rest = address.slice(start);
  // A password may hold a slash that nobody escaped; a port is a number.
  const user = /^(?:[^/?#]*@|[^/?#@:]*:(?!\d+[/?#])[^\s@]*@(?=[\w.-]))/.exec(rest)?.[0] ?? '';
  const place = rest.slice(user.length);
  const masked = /[/?#]/.test(place) ? maskUrl(scheme + place, rules) : rules.text(place);
  // The fragment is kept if it names a heading of a page; any other is meant for a program.
  const heading = /#[a-z][a-z_-]{0,60}$/i.exec(rest)?.[0] ?? '';
  return `${scheme}${user === '' ? '' : `${MASK}@`}${masked}${heading}`;
}

/** A path or a template of one: segments that are neither words nor versions are replaced. */
export function maskPath(path: string, rules: MaskRules): string {
  const segments = segmentsBelow(path, rules.basePath);
  const template = contractTemplate(segments);
  const base = path.slice(0, Math.max(0, path.length - `/${segments.join('/')}`.length));
  const below = segments.map((segment, index) => maskSegment(segment, template?.[index], rules));
  const above = base.split('/').map((segment) => maskSegment(segment, undefined, rules));
  return `${above.join('/')}/${below.join('/')}`;
}

/** A path within a text, which may be a pointer or the name of a file: only what is clearly a reference is replaced. */
export function maskPathInText(path: string, rules: MaskRules): string {
  const segments = path.split('/').map((segment) => {
    const isFile = /\.\w{1,5}(?::\d+){0,2}$/.test(segment);
    return isFile || !isReference(segment) ? segment : maskSegment(segment, undefined, rules);
  });
  return segments.join('/');
}

/** Letters with several digits, or many digits. */
function isReference(segment: string): boolean {
  return (/^(?=.*[a-z])(?:\D*\d){3}/i.test(segment) && segment.length >= 7) || /^\d{5,}$/.test(segment);
}

/** Words as programs write them in paths, versions, dates, and small numbers. */
const WORD =
  /^(?:\.?[a-z]+\d?(?:[A-Z][a-z]+)*(?:[_-][a-z]+\d?)*(?:\.(?:php|json|html?|xml|aspx?|jsp|do|txt|csv|m?js|css|ico|png))?|\d[a-z]{1,3}\d?|v?\d{1,3}(?:\.\d{1,3}){0,3}|\d{4}-\d\d(?:-\d\d)?|\{\w+\}|\*+|)$/;

function maskSegment(segment: string, part: string | undefined, rules: MaskRules): string {
  const name = part !== undefined && isParameter(part) ? part.slice(1, -1) : '';
  if (segment === part) return segment;
  if (name !== '' && !isOpenName(name)) return rules.id(name, segment);
  if (WORD.test(segment)) return segment;
  const plain = decodeFully(segment);
  const masked = rules.text(plain);
  if (masked !== plain || name !== '') return masked;
  return rules.nameOf(/^\d+$/.test(plain) ? 'id' : 'reference', plain);
}

/** Numbers that count or measure something. */
const MEASURE = /(?:amount|price|total|quantity|count|version)(?:_[a-z]+)?$/i;

function maskPair(pair: string, rules: MaskRules): string {
  const at = pair.indexOf('=');
  if (at === -1) return rules.text(decodeComponent(pair));
  const name = decodeComponent(pair.slice(0, at));
  const value = decodeFully(pair.slice(at + 1).replaceAll('+', ' '));
  const kind = sensitivityOf(name, value);
  if (kind === 'secret') return `${rules.text(name)}=${MASK}`;
  if (kind === undefined && isShown(pair, name, value)) return `${rules.text(name)}=${rules.text(value)}`;
  return `${rules.text(name)}=${rules.id(name, value)}`;
}

function isShown(pair: string, name: string, value: string): boolean {
  if (isOpenName(name) || isPlainPair(pair) || isRemark(value)) return true;
  return MEASURE.test(name) && /^v?\d{1,9}(?:\.\d{1,9}){0,3}$/.test(value);
}
