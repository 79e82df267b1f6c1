import { operations } from '../../contract/generated/operations.ts';
import type { ShippingDetail } from '../../contract/generated/types.ts';
import { validBody } from '../http/body.ts';
import { HttpError } from '../http/response.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';
import { hasBuyer } from './buyers.ts';
import type { Handler, Resource } from './resource.ts';

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

const operation = operations.createShippingDetail;

/** POST /buyers/{buyer_id}/shipping-details: adds one to a buyer of the merchant account (specification, same name). */
const createShippingDetail: Handler<'createShippingDetail'> = async (context) => {
  const { database, merchantAccount, pathParameters, now } = context;
  const { exact } = await validBody(operation, context.body);
  const { buyer_id: buyerId = '' } = pathParameters;
  if (!hasBuyer(database, merchantAccount, buyerId)) throw new HttpError('not_found');
  const { first_name, last_name, email_address, phone_number, address } = exact;
  // validBody has compared the fields with the schema that the type is made from.
  const detail = {
    type: 'shipping-details',
    id: process.getBuiltinModule('node:crypto').randomUUID(),
    buyer_id: buyerId,
    first_name,
    last_name,
    email_address,
    phone_number,
    address,
  } as StoredShippingDetail;
  const { recordEvent } = await import('../webhooks/record-event.ts');
  const body = await database.inSharedTransaction(() => {
    const document = insertShippingDetail(database, detail, now);
    recordEvent(context, { type: detail.type, id: detail.id, past: 'created', document });
    return document;
  });
  return { status: operation.successStatus, body };
};

/** The shipping details of buyers. The contract has no way to read them. */
export const shippingDetails = {
  tables: [
    `CREATE TABLE shipping_details (
      id TEXT PRIMARY KEY,
      buyer_id TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      document TEXT NOT NULL
    ) STRICT`,
  ],
  handlers: { createShippingDetail },
} satisfies Resource;
