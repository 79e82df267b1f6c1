import type { OperationId } from '../contract/operations.ts';
import type { Handler } from './route-context.ts';
import { listBuyers } from './routes/buyers.ts';

/** The operations that the emulator serves. One that is not named here is an unknown path. */
export const handlers: { readonly [Id in OperationId]?: Handler<Id> } = {
  listBuyers,
};
