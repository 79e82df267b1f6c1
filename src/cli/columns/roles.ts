import type { Column } from '../../output/column.ts';

/** The columns of a role: what it is called and what it allows. */
export const ROLE_COLUMNS: readonly Column[] = [
  { header: 'SLUG', path: 'slug', minWidth: 16, priority: 10 },
  { header: 'NAME', path: 'name', minWidth: 12, priority: 6 },
  { header: 'ALLOWS', path: 'permissions.allow', minWidth: 36, priority: 9 },
  { header: 'ASSIGNABLE TO', path: 'assignable_to', minWidth: 10, priority: 3 },
  { header: 'DESCRIPTION', path: 'description', minWidth: 20, priority: 4 },
  { header: 'ID', path: 'id', priority: 2 },
];
