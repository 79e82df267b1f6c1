import type { Role } from '../../contract/generated/types.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';
import type { ListQuery } from '../store/keyset.ts';
import { answerPage } from '../store/pages.ts';
import type { Handler } from './handler.ts';

/** Adds a role of the instance. `createdMs`, in milliseconds since 1970, is its place in lists. */
export function insertRole(database: EmulatorDatabase, role: Role, createdMs: number): void {
  insertRow(database, 'roles', { id: role.id, created_ms: createdMs, document: JSON.stringify(role) });
}

/** What GET /roles reads: the roles of the whole instance, since none belongs to a merchant account. */
export const roleListing: ListQuery = { table: 'roles', document: 'document', filters: [] };

/** GET /roles: the roles of the instance (specification, GET /roles). */
export const listRoles: Handler<'listRoles'> = (context) => answerPage(context, roleListing);
