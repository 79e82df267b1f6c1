import { operations } from '../../contract/operations.ts';
import type { ApiLog, ListApiLogsQuery } from '../../contract/types.ts';
import type { RequestContext } from '../call.ts';
import { createListing, type Listing } from '../listing.ts';

/** The methods of `client.apiLogs` (specification: GET /api-logs). */
export type ApiLogs = Listing<ApiLog, ListApiLogsQuery>;

/** Binds the listing of API error logs to a client's connections and settings. */
export function createApiLogs(context: RequestContext): ApiLogs {
  return createListing(context, operations.listApiLogs);
}
