import { operations } from '../../contract/operations.ts';
import type { ListRolesQuery, Role } from '../../contract/types.ts';
import type { RequestContext } from '../call.ts';
import { createListing, type Listing } from '../listing.ts';

/** The methods of `client.roles` (specification: GET /roles). */
export type Roles = Listing<Role, ListRolesQuery>;

/** Binds the listing of roles to a client's connections and settings. */
export function createRoles(context: RequestContext): Roles {
  return createListing(context, operations.listRoles);
}
