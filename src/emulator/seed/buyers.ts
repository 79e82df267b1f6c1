import type { Address, BillingDetails } from '../../contract/generated/types.ts';
import { createRandom, type Random } from '../../text/random.ts';
import { dayMs, timestamp } from '../clock.ts';
import type { StoredBuyer } from '../resources/buyers.ts';
import { type Country, europeanCountries, otherCountries } from './countries.ts';
import { omitNulls } from './omit-nulls.ts';

const countries: readonly [Country, ...Country[]] = [...europeanCountries, ...otherCountries];

/** The merchant accounts of a seeded database; most buyers belong to the first. */
export const seededMerchantAccounts = ['default', 'outlet'] as const;

/** Creation times of seeded buyers lie in the 600 days that begin so long before the end of the seeded past, oldest first. */
const beforeEndMs = 693 * dayMs + 2.5 * 3600 * 1000;
const span = 600 * dayMs;

/** Names that tables and searches get wrong most easily; each appears once among the first buyers. */
const notableNames = [
  'Ŵ',
  '🌻 Sunflower Market 🐝',
  'Família 👨‍👩‍👧‍👦 & Cia',
  '100% Wool_Shop',
  'Zürcher Kontor für Übersee-, Kolonial- und Gemischtwaren sowie Feinkost, Weine, Spirituosen, Tabakwaren, Schreibbedarf und Reiseandenken, Inhaber Gebrüder Schwarzenegg-Löwenstein und Nachfolger, vormals Handelshaus Tausendschön, gegründet 1887, Zürich',
  'a',
] as const;

/**
 * Makes the buyers of a seed one after the other, oldest first. The same seed, count and end (in milliseconds since
 * 1970) give the same bytes on every machine; no record is of a real person, and every e-mail address is in a domain reserved for examples.
 */
export function* seedBuyers(seed: number, count: number, endMs: number): Generator<StoredBuyer> {
  const random = createRandom(seed);
  const gap = Math.max(1, Math.floor(span / Math.max(1, count)));
  let createdMs = endMs - beforeEndMs;
  for (let index = 0; index < count; index += 1) {
    // Now and then two buyers share a creation time, so that the order needs the id too.
    if (!random.chance(0.02)) createdMs += Math.max(1, random.below(gap * 2));
    yield seedBuyer(random, index, createdMs);
  }
}

/** Makes one buyer, created at a time in milliseconds since 1970. */
export function seedBuyer(random: Random, index: number, createdMs: number): StoredBuyer {
  const country = random.pick(countries);
  const given = random.pick(country.given);
  const family = random.pick(country.family);
  const person = country.familyFirst ? `${family}${given}` : `${given} ${family}`;
  const company = random.chance(0.25) ? random.pick(country.companies) : undefined;
  const createdAt = timestamp(new Date(createdMs));
  const updatedAt = random.chance(0.3)
    ? timestamp(new Date(createdMs + random.below(30 * dayMs)))
    : createdAt;
  return omitNulls({
    id: random.uuid(),
    reconciliation_id: random.alphanumeric(22),
    merchant_account_id: seededMerchantAccounts[random.chance(0.8) ? 0 : 1],
    created_at: createdAt,
    updated_at: updatedAt,
    type: 'buyer',
    display_name: notableName(index) ?? (random.chance(0.03) ? null : (company ?? person)),
    external_identifier: externalIdentifier(random, index),
    billing_details: random.chance(0.12)
      ? null
      : billingDetails(random, { country, given, family, company, index }),
    account_number: random.chance(0.4) ? random.fill('AC-########') : null,
  });
}

function notableName(index: number): string | undefined {
  return index % 7 === 3 ? notableNames[(index - 3) / 7] : undefined;
}

function externalIdentifier(random: Random, index: number): string | null {
  if (random.chance(0.15)) return null;
  if (random.chance(0.02)) return `kunde/Ø-${index} #${random.below(100)}`;
  return random.chance(0.5) ? `buyer-${String(index + 1).padStart(6, '0')}` : random.fill(`CUST_@@-${index}`);
}

type Person = {
  readonly country: Country;
  readonly given: string;
  readonly family: string;
  readonly company: string | undefined;
  readonly index: number;
};

function billingDetails(random: Random, person: Person): BillingDetails {
  const { country, given, family, company, index } = person;
  const domain = random.pick(['example.com', 'example.org', 'example.net']);
  return {
    first_name: given,
    last_name: random.chance(0.04) ? null : family,
    email_address: random.chance(0.08)
      ? null
      : `${mailboxWord(given)}.${mailboxWord(family)}.${index + 1}@${domain}`,
    phone_number: random.chance(0.2) ? null : random.fill(country.phone),
    address: random.chance(0.1) ? null : address(random, country, company),
    tax_id:
      company === undefined && random.chance(0.9)
        ? null
        : { value: random.fill(country.taxId.template), kind: country.taxId.kind },
  };
}

const mailboxes = new Map<string, string>();

/** The ASCII letters of a name without its accents; a neutral word for a name in another script. */
function mailboxWord(name: string): string {
  const known = mailboxes.get(name);
  if (known !== undefined) return known;
  const word =
    name
      .normalize('NFD')
      .toLowerCase()
      .replace(/[^a-z]/g, '') || 'customer';
  mailboxes.set(name, word);
  return word;
}

function address(random: Random, country: Country, company: string | undefined): Address {
  const [city, state, stateCode] = random.pick(country.cities);
  const house = random.chance(0.1) ? 'Flat 2b' : String(1 + random.below(240));
  const street = random.pick(country.streets);
  return {
    city,
    country: country.code,
    postal_code: random.fill(country.postalCode),
    state,
    state_code: stateCode,
    house_number_or_name: house,
    line1: country.houseFirst ? `${house} ${street}` : `${street} ${house}`,
    line2: random.chance(0.15) ? `c/o ${random.pick(country.family)}` : null,
    organization: company ?? null,
  };
}
