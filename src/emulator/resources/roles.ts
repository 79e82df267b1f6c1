import { listResource } from './list-resource.ts';

/** GET /roles: the roles of the whole instance, since none belongs to a merchant account. */
export const roles = listResource('listRoles', {
  table: 'roles',
  seed: async () => (await import('../seed/roles.ts')).seedRoles,
  filters: {},
});
