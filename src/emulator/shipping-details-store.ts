import type { ShippingDetail } from '../contract/types.ts';
import type { EmulatorDatabase } from './database.ts';
import { insertRow } from './insert-row.ts';

/** A shipping detail as the emulator keeps it. */
export type StoredShippingDetail = ShippingDetail & { readonly buyer_id: string };

/** Adds a shipping detail, created at that moment, and gives its JSON text as stored. */
export function insertShippingDetail(
  database: EmulatorDatabase,
  detail: StoredShippingDetail,
  createdAt: Date,
): string {
  const document = JSON.stringify(detail);
  insertRow(database, 'shipping_details', {
    id: detail.id,
    buyer_id: detail.buyer_id,
    created_ms: createdAt.getTime(),
    document,
  });
  return document;
}
