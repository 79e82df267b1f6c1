import type { Column } from '../../output/column.ts';

/** The columns of a role: what it is called and what it allows. */
export const ROLE_COLUMNS: readonly Column[] = [
  { header: 'SLUG', path: 'slug', minWidth: 8, priority: 10 },
  { header: 'NAME', path: 'name', minWidth: 10, priority: 9 },
  { header: 'ALLOWS', path: 'permissions.allow', minWidth: 20, priority: 8 },
  { header: 'ASSIGNABLE TO', path: 'assignable_to', minWidth: 10, priority: 5 },
  { header: 'DESCRIPTION', path: 'description', minWidth: 16, priority: 3 },
  { header: 'ID', path: 'id', priority: 4 },
];
