import type { Column } from '../../output/column.ts';

/** The columns of a finding: how it is, of what, and what to do about it. */
export const DOCTOR_COLUMNS: readonly Column[] = [
  { header: 'STATE', path: 'state', minWidth: 7 },
  { header: 'CHECK', path: 'name', minWidth: 16 },
  { header: 'FOUND', path: 'message', minWidth: 20 },
  { header: 'REMEDY', path: 'remedy', minWidth: 20 },
];
