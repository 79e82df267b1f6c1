import { operations } from '../../contract/operations.ts';
import { hasBuyer } from '../buyers-store.ts';
import { Refusal } from '../respond.ts';
import type { Handler } from '../route-context.ts';
import { insertShippingDetail, type StoredShippingDetail } from '../shipping-details-store.ts';
import { validBody } from '../valid-body.ts';

const operation = operations.createShippingDetail;

/** POST /buyers/{buyer_id}/shipping-details: adds one to a buyer of the merchant account (specification, same name). */
export const createShippingDetail: Handler<'createShippingDetail'> = async (context) => {
  const { database, merchantAccount, pathParameters, now } = context;
  const { exact } = await validBody(operation, context.body);
  const { buyer_id: buyerId = '' } = pathParameters;
  if (!hasBuyer(database, merchantAccount, buyerId)) throw new Refusal('not_found');
  const { first_name = null, last_name = null, email_address = null, phone_number = null } = exact;
  const { address = null, ...unknown } = exact;
  // validBody has compared the fields with the schema that the type is made from.
  const detail = {
    ...unknown,
    type: 'shipping-details',
    id: process.getBuiltinModule('node:crypto').randomUUID(),
    buyer_id: buyerId,
    first_name,
    last_name,
    email_address,
    phone_number,
    address,
  } as StoredShippingDetail;
  return { status: operation.successStatus, body: insertShippingDetail(database, detail, now) };
};
