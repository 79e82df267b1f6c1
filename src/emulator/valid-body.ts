import type { Operation } from '../contract/operations.ts';
import type { ErrorDetail, Schemas } from '../contract/types.ts';
import { type JsonBody, readJson } from './read-json.ts';
import { Refusal } from './respond.ts';

/** More faults than that in one body are not told one by one. */
const toldFaults = 50;

/**
 * Reads the body of an operation and compares it with the operation's schema of the description, which is loaded
 * when the first body comes in, and with the limits of an address.
 * @throws Refusal `bad_request` whose details name every fault, and what `readJson` throws
 */
export async function validBody(operation: Operation, body: Buffer): Promise<JsonBody> {
  const read = readJson(operation, body);
  const details = await faultsOf(operation, read.value);
  if (details.length > 0) throw new Refusal('bad_request', { details: details.slice(0, toldFaults) });
  return read;
}

async function faultsOf(operation: Operation, value: JsonBody['value']): Promise<ErrorDetail[]> {
  const [{ bodyFaults }, { bodySchema }, { addressLimits }] = await Promise.all([
    import('./body-faults.ts'),
    import('./body-schema.ts'),
    import('./address-limits.ts'),
  ]);
  const schema = bodySchema(operation.bodySchema as keyof Schemas);
  const limits = schema.properties?.address === undefined ? {} : { properties: { address: addressLimits } };
  return [...bodyFaults(schema, value), ...bodyFaults(limits, value)];
}
