import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueryParameter } from '../../src/contract/operation.ts';
import { timeFilterOf } from '../../src/descriptions/time-filters.ts';

const TIME: QueryParameter = { type: 'string', format: 'date-time' };
const TEXT: QueryParameter = { type: 'string' };
const INTEGER: QueryParameter = { type: 'integer' };
const since = (summary: string, others: Partial<QueryParameter> = {}) => ({
  since: { ...TIME, ...others, summary },
});

/** The parameters of lists of real services, and the names of the two filters with their formats; `>` for an exclusive one. */
const SERVICES: readonly (readonly [string, Readonly<Record<string, QueryParameter>>, string, string])[] = [
  [
    'Stripe',
    { 'created[gt]': INTEGER, 'created[gte]': INTEGER, 'created[lt]': INTEGER, starting_after: TEXT },
    '',
    'created[gte] seconds',
  ],
  [
    'Gr4vy',
    { updated_at_lte: TIME, updated_at_gte: TIME, created_at_lte: TIME, created_at_gte: TIME },
    'updated_at_gte date-time',
    'created_at_gte date-time',
  ],
  ['GitHub, commits', since('Only show results after the given time.'), '', ''],
  [
    'GitHub, issues',
    since('Only show results that were last updated after the given time.'),
    'since date-time',
    '',
  ],
  [
    'GitHub, users',
    { since: { ...INTEGER, summary: 'A user ID. Only return users with an ID greater than this ID.' } },
    '',
    '',
  ],
  [
    'Shopify',
    { updated_at_min: TIME, updated_at_max: TIME, created_at_min: TIME, since_id: INTEGER },
    'updated_at_min date-time',
    'created_at_min date-time',
  ],
  [
    'Mollie',
    { from: { ...TEXT, summary: 'The ID of the first payment of the page.' }, limit: INTEGER },
    '',
    '',
  ],
  [
    'Chargebee',
    {
      'updated_at[after]': { ...TEXT, pattern: '^[0-9]{10}$' },
      'updated_at[on]': TEXT,
      'created_at[after]': { ...INTEGER, format: 'unix-time' },
    },
    '> updated_at[after] seconds',
    '> created_at[after] seconds',
  ],
  ['Plaid', { cursor: TEXT, count: INTEGER }, '', ''],
  [
    'PayPal, disputes',
    {
      start_time: { ...TEXT, summary: 'Filters the disputes by a creation date and time.' },
      update_time_after: { ...TEXT, format: 'ppaas_date_time_v3' },
    },
    '> update_time_after date-time',
    'start_time date-time',
  ],
  [
    'BigCommerce',
    { 'date_modified:min': TIME, 'date_created:min': { ...TEXT, format: 'date' } },
    'date_modified:min date-time',
    'date_created:min date',
  ],
  [
    'camel case',
    { lastModifiedAfter: TIME, createdSince: { ...INTEGER, summary: 'In milliseconds.' } },
    '> lastModifiedAfter date-time',
    'createdSince milliseconds',
  ],
  [
    'brackets',
    { 'filter[updated_at][gt]': TIME, 'filter[updated_at][gte]': TIME },
    'filter[updated_at][gte] date-time',
    '',
  ],
  [
    'another time',
    {
      status_updated_at_gte: TIME,
      created_or_updated_since: TIME,
      updated_at: TIME,
      updated_by_from: TEXT,
      expires_at_gte: TIME,
    },
    '',
    '',
  ],
  [
    'a name that its text contradicts',
    { updated_since: { ...TIME, summary: 'Only those created at or after this time.' } },
    '',
    '',
  ],
  [
    'values that are no time',
    {
      updated_since: { type: 'boolean' },
      updated_from: { ...TEXT, enum: ['web', 'app'] },
      updated_min: { ...TEXT, format: 'uuid' },
      updated_after: { ...TIME, multiple: true },
    },
    '',
    '',
  ],
];

describe('the filters of a list by time', () => {
  it.each(SERVICES)('%s', (_name, query, updated, created) => {
    const shown = (filter: ReturnType<typeof timeFilterOf>) =>
      filter ? `${filter.isExclusive ? '> ' : ''}${filter.parameter} ${filter.format}` : '';
    expect(shown(timeFilterOf({ query }, 'updated'))).toBe(updated);
    expect(shown(timeFilterOf({ query }, 'created'))).toBe(created);
  });

  it('never ask for changed records by the time of their creation', () => {
    const word = fc.constantFrom(
      'filter',
      'at',
      'date',
      'last',
      'updated',
      'modified',
      'gte',
      'since',
      'after',
      'id',
      '',
    );
    const around = fc.array(word, { maxLength: 4 });
    const joint = fc.constantFrom('_', '[', '.', '-', ':');
    fc.assert(
      fc.property(
        around,
        fc.constantFrom('created', 'creation', 'Create'),
        around,
        joint,
        (before, event, after, by) => {
          const name = [...before, event, ...after].join(by);
          expect(timeFilterOf({ query: { [name]: TIME } }, 'updated')).toBeUndefined();
        },
      ),
    );
  });
});
