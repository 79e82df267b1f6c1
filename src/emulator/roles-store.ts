import type { Role } from '../contract/types.ts';
import type { EmulatorDatabase } from './database.ts';
import { insertRow } from './insert-row.ts';
import type { Listing } from './keyset.ts';

/** Adds a role of the instance. `createdMs`, in milliseconds since 1970, is its place in lists. */
export function insertRole(database: EmulatorDatabase, role: Role, createdMs: number): void {
  insertRow(database, 'roles', { id: role.id, created_ms: createdMs, document: JSON.stringify(role) });
}

/** What GET /roles reads: the roles of the whole instance, since none belongs to a merchant account. */
export const roleListing: Listing = { table: 'roles', document: 'document', filters: [] };
