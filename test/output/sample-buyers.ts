import type { Column } from '../../src/output/columns.ts';
import { createListPage, type ListPage } from '../../src/output/list-page.ts';

export type SampleBuyer = Record<string, unknown>;

/** A buyer with the fields of the specification. */
export function sampleBuyer(number: number, changes: SampleBuyer = {}): SampleBuyer {
  return {
    type: 'buyer',
    id: `8a1b2c3d-4e5f-6071-8293-${String(number).padStart(12, '0')}`,
    reconciliation_id: null,
    merchant_account_id: 'default',
    created_at: '2026-03-01T14:05:59.123+00:00',
    updated_at: '2026-03-02T01:30:00+02:00',
    display_name: `Ada Lovelace ${number}`,
    external_identifier: `customer-${number}`,
    billing_details: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email_address: `ada${number}@example.com`,
      phone_number: '+442079460000',
      address: { city: 'London', country: 'GB', postal_code: 'SW1A 1AA', line1: '10 Downing Street' },
      tax_id: { value: 'GB123456789', kind: 'gb.vat' },
    },
    account_number: null,
    ...changes,
  };
}

type Cursors = { readonly next?: string | null; readonly previous?: string | null };

/** A page as the service sends it: compact JSON of an envelope. */
export function samplePage(buyers: readonly unknown[], cursors: Cursors = {}): ListPage {
  const envelope = {
    items: buyers,
    limit: 20,
    next_cursor: cursors.next ?? null,
    previous_cursor: cursors.previous ?? null,
  };
  return createListPage(JSON.stringify(envelope), buyers);
}

/** What `buyers list` shows. */
export const buyerColumns: readonly Column[] = [
  { header: 'ID', path: 'id', priority: 5 },
  { header: 'NAME', path: 'display_name', priority: 4 },
  { header: 'EXTERNAL ID', path: 'external_identifier', priority: 3 },
  { header: 'EMAIL', path: 'billing_details.email_address', priority: 2 },
  { header: 'CREATED', path: 'created_at', priority: 1 },
];
