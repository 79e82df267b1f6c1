import type { Column } from '../../output/column.ts';

const MEMBERS = [
  'header',
  'claims',
  'scopes',
  'key_id',
  'issued_at',
  'not_before',
  'expires_at',
  'expires_in_seconds',
  'faults',
  'good_for',
  'not_good_for',
] as const;

/** The name of a member of an inspection. */
export type InspectionMember = (typeof MEMBERS)[number];

/** The members of the JSON of an inspection, in their order. */
export const INSPECTION_COLUMNS: readonly Column[] = MEMBERS.map((path) => ({ path, header: path }));
