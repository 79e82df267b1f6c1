import type { Document } from '../../../../src/emulator/imported/overlay.ts';
import { PreparedSchema } from '../../../../src/emulator/imported/prepared.ts';
import { parseKeepingNumbers } from '../../../../src/json/exact.ts';

/** The schema of a record with these members. */
export function schemaOf(properties: object, more: object = {}): PreparedSchema {
  const schema = { type: 'object', properties, ...more };
  return new PreparedSchema(schema, schema);
}

/** A member with the statuses of a payment. */
export const status = {
  enum: [
    ...['processing', 'authorized', 'partially_captured', 'captured', 'partially_refunded', 'refunded'],
    ...['voided', 'failed'],
  ],
};

/** A payment with members for what was captured and refunded, in cents. */
export const counted = schemaOf({
  status,
  amount: { type: 'integer' },
  captured_amount: { type: 'integer' },
  refunded_amount: { type: 'integer' },
  currency: { type: 'string' },
});

/** A payment without them. */
export const uncounted = schemaOf({ status, amount: { type: 'integer' }, currency: { type: 'string' } });

/** A payment whose statuses say nothing of captures. */
export const silent = schemaOf({
  status: { enum: ['open', 'closed', 'voided', 'partially_captured', 'refunded'] },
  amount: { type: 'integer' },
});

/** A number that keeps its notation. */
export function exact(text: string): unknown {
  return (parseKeepingNumbers(`{"a":${text}}`) as Document).a;
}
