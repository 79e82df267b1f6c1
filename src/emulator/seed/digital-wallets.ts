import type { DigitalWallet } from '../../contract/generated/types.ts';
import { createRandom, type Random } from '../../text/random.ts';
import { dayMs, timestamp } from '../clock.ts';
import type { SeedContext, Seeded, Stored } from '../resources/resource.ts';
import { omitNulls } from './omit-nulls.ts';

type Configuration = {
  readonly account: 'default' | 'outlet';
  readonly provider: string;
  readonly shop: string;
  readonly domains: readonly string[];
  /** Certificates: active, pending, expired. */
  readonly certificates: readonly [number, number, number];
  readonly application: string | null;
};

/** Oldest first. */
const configurations: readonly Configuration[] = [
  {
    account: 'default',
    provider: 'apple',
    shop: 'Lighthouse Home Goods',
    domains: ['shop.example.com', 'www.shop.example.com', 'checkout.example.com'],
    certificates: [1, 1, 2],
    application: null,
  },
  {
    account: 'default',
    provider: 'google',
    shop: 'Lighthouse Home Goods',
    domains: ['shop.example.com'],
    certificates: [0, 0, 0],
    application: null,
  },
  {
    account: 'outlet',
    provider: 'apple',
    shop: 'Lighthouse Outlet',
    domains: ['outlet.example.net'],
    certificates: [0, 0, 1],
    application: null,
  },
  {
    account: 'default',
    provider: 'click-to-pay',
    shop: 'Lighthouse Home Goods',
    domains: [],
    certificates: [0, 0, 0],
    application: 'Lighthouse Checkout',
  },
];

/** Makes the digital wallets of a seed, oldest first. */
export function seedDigitalWallets({
  seed,
  endMs,
}: Pick<SeedContext, 'seed' | 'endMs'>): readonly Seeded<Stored<DigitalWallet>>[] {
  const random = createRandom(seed, 'digital-wallets');
  let createdMs = endMs - 500 * dayMs;
  return configurations.map((configuration) => {
    createdMs += 1 + random.below(90 * dayMs);
    return { record: digitalWallet(random, configuration, createdMs), createdMs };
  });
}

function digitalWallet(
  random: Random,
  configuration: Configuration,
  createdMs: number,
): Stored<DigitalWallet> {
  const { account, provider, shop, domains, certificates, application } = configuration;
  const [active, pending, expired] = certificates;
  return omitNulls({
    type: 'digital-wallet',
    id: random.uuid(),
    merchant_account_id: account,
    provider,
    merchant_name: `${shop} AS`,
    domain_names: [...domains],
    created_at: timestamp(new Date(createdMs)),
    updated_at: timestamp(new Date(createdMs + random.below(30 * dayMs))),
    merchant_display_name: shop,
    merchant_url: domains[0] === undefined ? null : `https://${domains[0]}`,
    merchant_country_code: 'NO',
    merchant_category_code: '5712',
    address: {
      line1: random.fill('Skippergata ##'),
      line2: null,
      city: 'Tromsø',
      state_code: 'NO-55',
      postal_code: '9008',
    },
    extra_configuration: {
      network_mid_list: application === null ? [] : [{ mid: random.fill('4#######'), scheme: 'visa' }],
      network_name_list:
        application === null ? [] : [{ expected_auth_name: 'LIGHTHOUSE', scheme: 'mastercard' }],
    },
    active_certificate_count: active,
    pending_certificate_count: pending,
    expired_certificate_count: expired,
    fields: {
      digital_payment_application_id: application === null ? null : random.uuid(),
      digital_payment_application_name: application,
    },
  });
}
