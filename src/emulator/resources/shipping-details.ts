import { operations } from '../../contract/generated/operations.ts';
import type { ShippingDetail } from '../../contract/generated/types.ts';
import { validBody } from '../http/body.ts';
import { HttpError } from '../http/response.ts';
import { insertRow } from '../store/database.ts';
import { hasBuyer } from './buyers.ts';
import type { Handler, Resource } from './resource.ts';

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
  } as ShippingDetail;
  const document = JSON.stringify(detail);
  const { recordEvent } = await import('../webhooks/record-event.ts');
  const { type, id } = detail;
  await database.inSharedTransaction(() => {
    const row = { id, buyer_id: buyerId, created_ms: now.getTime(), document };
    insertRow(database, 'shipping_details', row);
    recordEvent(context, { type, id, past: 'created', document });
  });
  return { status: operation.successStatus, body: document };
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
