import { isAmountMember, VALUE } from '../../text/amount-names.ts';
import { oncePerName } from '../memoize.ts';
import { isDateName, momentOf } from './dates.ts';
import { type Facts, snake } from './names.ts';

type Write = (facts: Facts, name: string) => string;

const FIRST = ['Ana', 'Bram', 'Chioma', 'Dara', 'Elif', 'Femi', 'Greta', 'Hugo'] as const;
const LAST = ['Almeida', 'Brunner', 'Castel', 'Diallo', 'Eriksen', 'Fischer', 'Grant', 'Haddad'] as const;
const CITIES = ['Amsterdam', 'Berlin', 'Lisbon', 'London', 'Lyon', 'Madrid', 'Oslo', 'Vienna'] as const;

const person: Write = ({ random }) => `${random.pick(FIRST)} ${random.pick(LAST)}`;
const email: Write = ({ random }) =>
  `${random.pick(FIRST)}.${random.pick(LAST)}@mail.example.com`.toLowerCase();
const url: Write = ({ noun, random }) => `https://shop.example.com/${noun}/${random.fill('####')}`;
const label: Write = ({ noun, random }) => `${capital(noun.replaceAll('_', ' '))} ${random.fill('###')}`;

/** Texts by the name of their member; the first that fits counts. */
const BY_NAME: readonly (readonly [RegExp, Write])[] = [
  [/(^|_)currency(_code)?$/, ({ random }) => random.pick(['EUR', 'USD', 'GBP', 'SEK'])],
  [/(^|_)country(_code)?$/, ({ random }) => random.pick(['DE', 'NL', 'PT', 'FR', 'GB', 'US'])],
  [/(^|_)(locale|language)$/, ({ random }) => random.pick(['en', 'de', 'pt', 'nl'])],
  [/(^|_)(email|email_address)$/, email],
  [/(^|_)(url|uri|href|link)$/, url],
  [/(^|_)(phone|phone_number|mobile)$/, ({ random }) => random.fill('+49301######')],
  [/(^|_)ip(_address)?$/, ({ random }) => `203.0.113.${1 + random.below(254)}`],
  [/^(first|given)_name$/, ({ random }) => random.pick(FIRST)],
  [/^(last|family)_name$|^surname$/, ({ random }) => random.pick(LAST)],
  [/^(full|holder|cardholder|contact)_?name$/, person],
  [/(^|_)(name|title|label)$/, label],
  [/^(city|town|locality)$/, ({ random }) => random.pick(CITIES)],
  [/^(postal_code|postcode|zip|zip_code)$/, ({ random }) => random.fill('#####')],
  [/^(line_?1|street|address_line_?1)$/, ({ random }) => random.fill('Harbour Street 1#')],
  [/(^|_)(scheme|brand|network)$/, ({ random }) => random.pick(['visa', 'mastercard', 'amex'])],
  [/^(last_?(four|4|digits)|last_four_digits)$/, ({ random }) => random.fill('####')],
  [/(^|_)(description|message|reason|note|summary|details)$/, ({ noun }) => `About this ${noun}`],
  [/(^|_)(external_identifier|reference|number)$/, ({ noun, random }) => `${noun}-${random.fill('######')}`],
  [/(^|_)(secret|token|fingerprint|hash|checksum)$/, ({ random }) => random.alphanumeric(24)],
];

/** Texts by their format. */
const BY_FORMAT: Readonly<Record<string, Write>> = {
  uuid: ({ random }) => random.uuid(),
  'date-time': (facts, name) => new Date(momentOf(name, facts)).toISOString(),
  date: (facts, name) => new Date(momentOf(name, facts)).toISOString().slice(0, 10),
  time: (facts, name) => `${new Date(momentOf(name, facts)).toISOString().slice(11, 19)}Z`,
  duration: () => 'PT1H',
  email,
  'idn-email': email,
  hostname: () => 'shop.example.com',
  'idn-hostname': () => 'shop.example.com',
  uri: url,
  url,
  iri: url,
  'uri-reference': url,
  'iri-reference': url,
  'uri-template': url,
  ipv4: ({ random }) => `203.0.113.${1 + random.below(254)}`,
  ipv6: ({ random }) => `2001:db8::${random.fill('###')}`,
  'json-pointer': () => '/items/0',
  'relative-json-pointer': () => '0/items',
  regex: () => '^.*$',
  byte: ({ random }) => Buffer.from(random.alphanumeric(12)).toString('base64'),
};

/** A text of a format; undefined for one that is not known. */
export function textOfFormat(format: string, name: string, facts: Facts): string | undefined {
  return Object.hasOwn(BY_FORMAT, format) ? BY_FORMAT[format]?.(facts, name) : undefined;
}

/** A text that a member of this name may hold. */
export function textOfName(name: string, facts: Facts): string | undefined {
  return isDateName(name) ? new Date(momentOf(name, facts)).toISOString() : writerFor(name)?.(facts, name);
}

const writerFor = oncePerName((name) => BY_NAME.find(([pattern]) => pattern.test(snake(name)))?.[1]);

/** A text for any member. */
export function anyText(name: string, { random }: Facts): string {
  return `${snake(name).replaceAll('_', '-') || 'value'}-${random.fill('####')}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether a member holds money: by its own name, or as the `value` of an object with such a name. */
export function isMoney(name: string, owner: string): boolean {
  return namesMoney(name) || (name === VALUE && namesMoney(owner));
}

const namesMoney = oncePerName((name) => isAmountMember(name) || /(^|_)tax$/.test(snake(name)));

/** An amount as a decimal string, with two places or none. */
export function moneyText({ random, isFresh }: Facts, places: 0 | 2): string {
  const cents = isFresh ? 0 : 100 + random.below(50_000);
  return places === 2 ? (cents / 100).toFixed(2) : String(Math.ceil(cents / 100));
}

/** The range that a number is taken from, by the name of its member; limits of the schema narrow it. */
export function rangeOfName(name: string): readonly [from: number, to: number] {
  const plain = snake(name);
  if (/(amount|total|price|balance|fee)(_|$)/.test(plain)) return [100, 50_000];
  if (/(^|_)year$/.test(plain)) return [2026, 2031];
  if (/(^|_)month$/.test(plain)) return [1, 12];
  return [1, 100];
}
