import type { Approver, Profile } from '../../config/profile.ts';
import { isObject } from '../../json/is-object.ts';
import { type Column, valueAt } from '../../output/columns.ts';
import { listValues } from '../../text/format.ts';

/**
 * A profile as commands print it; `active` is the name of the one that commands use where none is named. Every member is always there, so that scripts can
 * rely on the shape. Holds no secret.
 */
export function profileRecord(profile: Profile, active: string | undefined) {
  const { name, credentials } = profile;
  return {
    name,
    active: name === active,
    environment: profile.environment ?? null,
    access: profile.access ?? 'write',
    base_url: profile.baseUrl ?? null,
    instance: profile.instance ?? null,
    merchant_account: profile.merchantAccount ?? null,
    merchant_header: profile.merchantHeader ?? null,
    webhook_header_prefix: profile.webhookHeaderPrefix ?? null,
    timeout: profile.timeout ?? null,
    max_retries: profile.maxRetries ?? null,
    output: profile.output ?? null,
    utc: profile.utc === undefined ? null : profile.utc === 'true',
    columns: profile.columns ?? null,
    max_amounts: profile.maxAmounts ?? null,
    max_totals: profile.maxTotals ?? null,
    approvers: profile.approvers?.map(({ name, kid }) => ({ name: name ?? null, key_id: kid })) ?? null,
    proxy: profile.proxy ?? null,
    ca_file: profile.caFile ?? null,
    client_certificate: profile.clientCertificate ?? null,
    client_key: profile.clientKey ?? null,
    rsa_algorithm: profile.rsaAlgorithm ?? null,
    description: profile.description
      ? { file: profile.description.file, merchant_header: profile.description.merchantHeader ?? null }
      : null,
    credentials: credentials
      ? {
          kind: credentials.kind,
          storage: credentials.storage,
          path: credentials.storage === 'keychain' ? null : credentials.path,
        }
      : null,
  };
}

/** The columns of a profile. */
export const PROFILE_COLUMNS: readonly Column[] = [
  { header: 'ACTIVE', path: 'active', priority: 9 },
  { header: 'NAME', path: 'name', minWidth: 12, priority: 10 },
  {
    header: 'ENVIRONMENT',
    path: 'environment',
    priority: 8,
    tone: (profile) => (valueAt(profile, 'environment') === 'production' ? 'red' : undefined),
  },
  { header: 'ACCESS', path: 'access', priority: 2 },
  { header: 'BASE URL', path: 'base_url', minWidth: 20, goodWidth: 30, priority: 7 },
  { header: 'INSTANCE', path: 'instance', priority: 3 },
  { header: 'MERCHANT ACCOUNT', path: 'merchant_account', priority: 5 },
  { header: 'CREDENTIALS', path: 'credentials.kind', priority: 6 },
  { header: 'STORED IN', path: 'credentials.storage', priority: 4 },
  { header: 'DESCRIPTION', path: 'description.file', priority: 1 },
  {
    header: 'LIMITS',
    path: 'max_amounts',
    priority: 1,
    cell: (profile) => limitsText(valueAt(profile, 'max_amounts')),
  },
  {
    header: 'TOTAL LIMITS',
    path: 'max_totals',
    priority: 1,
    cell: (profile) => limitsText(valueAt(profile, 'max_totals')),
  },
  {
    header: 'APPROVERS',
    path: 'approvers',
    priority: 1,
    cell: (profile) => approverCell(valueAt(profile, 'approvers')),
  },
];

function approverCell(approvers: unknown): string {
  const records = Array.isArray(approvers) ? approvers.filter(isObject) : [];
  return records.map(({ name, key_id: keyId }) => String(name ?? keyId)).join(', ');
}

/** Limits as people read them: `500.00 EUR, 60000 JPY`. */
export function limitsText(limits: unknown): string {
  const amounts = isObject(limits) ? Object.entries(limits) : [];
  return amounts.map(([currency, amount]) => `${amount} ${currency}`).join(', ');
}

/** How messages call approvers: by the names of their keys, else by their IDs. */
export function approverNames(approvers: readonly Approver[]): readonly string[] {
  return approvers.map(({ name, kid }) => name ?? kid);
}

/** All limits of a profile in words: `500.00 EUR, 5000.00 EUR in total, approvers anna, bob`. */
export function allLimitsText({ maxAmounts, maxTotals, approvers }: Partial<Profile>): string {
  const totals = Object.entries(maxTotals ?? {}).map(
    ([currency, amount]) => `${amount} ${currency} in total`,
  );
  const named = approvers ? [`approvers ${listValues(approverNames(approvers))}`] : [];
  return [...(maxAmounts ? [limitsText(maxAmounts)] : []), ...totals, ...named].join(', ');
}
