import { isFailure } from '../../../cli/money/reported-failure.ts';
import { stringifyExactJson } from '../../../json/exact.ts';
import { memberAt } from '../../../json/is-object.ts';
import { recordFailed, statusMember } from '../apply/row-end.ts';
import type { TargetOperation } from '../target.ts';
import { type Claim, claimRecords } from './claim-records.ts';
import type { ReadList } from './list-beside.ts';
import { fitOf, isNamedOtherwise, type Sent, sentBy } from './same-values.ts';
import { createdOf, type Moment, type Offset } from './service-clock.ts';
import type { UnknownRow } from './unknown-rows.ts';

/** The result of reconciling a row. */
export type Finding =
  | { readonly state: 'done'; readonly id?: string; readonly record_status?: string }
  | {
      readonly state: 'failed' | 'unknown';
      readonly code: string;
      readonly message: string;
      /** Of the record that says that the change failed. */
      readonly id?: string;
      readonly record_status?: string;
    };

/** The finding for a row of which nothing is certain. */
export function unknown(code: string, message: string): Finding {
  return { state: 'unknown', code, message };
}

type ListedRecord = {
  readonly id: string | undefined;
  readonly value: Readonly<Record<string, unknown>>;
  readonly created: Moment | undefined;
};

/** What the records of a list are compared with. */
export type SearchParts = {
  readonly rows: readonly UnknownRow[];
  readonly operation: Pick<TargetOperation, 'method' | 'pathParameters' | 'payments' | 'record' | 'recordId'>;
  /** Whether a row is known to have made the record with this ID. */
  readonly isClaimed: (id: string) => boolean;
  /** Whether a response gave it to a row that is not done by it. */
  readonly isUnfit: (id: string) => boolean;
  /** How many rows are known to have made a record of this list, and how many of them did not get its ID. */
  readonly done: number;
  readonly unnamed: number;
};

/** The offset of the clocks, and how long a request can take. */
export type Timing = {
  /** The offset while the rows were sent; undefined if there was no response then. */
  readonly offsetThen: Offset | undefined;
  readonly settleMs: number;
};

/** When a record was made: certainly before the row was sent, when the row can have made it, or later. */
type Relation = 'long before' | 'before' | 'within' | 'late' | 'unknown';

/** How wrong the relation of the clocks can be: where it was measured while rows were sent, and where it was not. */
const MEASURED_MS = 60_000;
const NOT_MEASURED_MS = 24 * 3_600_000;

/** By how much the clocks of the machines of one service differ. */
const SLACK_MS = 100;

/** The widest offset, in milliseconds, with which a time can show that a record belongs to a row. */
const WIDEST_MS = 5000;

/** Collects the records of a list, and says which of them the rows made. */
export class RecordSearch {
  readonly #parts: SearchParts;
  readonly #records: ListedRecord[] = [];
  readonly #seen = new Set<string>();
  #claimed = 0;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  add(value: Readonly<Record<string, unknown>>): void {
    const { operation, isClaimed, isUnfit } = this.#parts;
    const found = memberAt(value, (operation.recordId ?? 'id').split('.'));
    const isId = typeof found === 'string' || typeof found === 'number' || typeof found === 'bigint';
    const id = isId ? String(found) : undefined;
    if (id !== undefined) {
      if (this.#seen.has(id)) return;
      this.#seen.add(id);
      if (isClaimed(id)) {
        this.#claimed += 1;
        return;
      }
      if (isUnfit(id)) return;
    }
    this.#records.push({ id, value, created: createdOf(value) });
  }

  /** What became of each row, in their order. */
  findings(read: ReadList, timing: Timing): readonly Finding[] {
    const { rows, operation, unnamed } = this.#parts;
    const offset = timing.offsetThen ?? read.offset;
    const compared = rows.map(({ row, firstMs, lastMs }) => {
      const sent = sentBy(row, operation);
      const from = offset && firstMs + offset.least - SLACK_MS;
      const to = offset && lastMs + offset.most + SLACK_MS;
      const relationOf = ({ created }: ListedRecord): Relation => {
        if (!created || from === undefined || to === undefined) return 'unknown';
        const margin = timing.offsetThen ? MEASURED_MS : NOT_MEASURED_MS;
        if (created.most <= from) return created.most <= from - margin ? 'long before' : 'before';
        return created.least > to + timing.settleMs ? 'late' : 'within';
      };
      return { row, sent, relationOf, to };
    });
    const claims = claimRecords(
      compared.map(({ row, sent, relationOf }) => ({
        sent: stringifyExactJson([sent.leaves, sent.moves ?? null]),
        hasKey: row.idempotency_key !== undefined,
        candidates: this.#records.flatMap((record, index) => {
          const relation = relationOf(record);
          if (record.id === undefined || (relation !== 'within' && relation !== 'unknown')) return [];
          const { fit, hasIdentifier } = fitOf(sent, record.value);
          // Without its time, the end of the list, or the IDs of what is known to be done, only its identifier says which record it is.
          const isExact = offset !== undefined && offset.most - offset.least <= WIDEST_MS;
          const isTimed = relation === 'within' && isExact && read.isWhole && !this.#lacksDone;
          return fit === 'same' && (hasIdentifier || (isTimed && unnamed === 0)) ? [index] : [];
        }),
      })),
    );
    const taken = new Set(claims.filter((claim) => typeof claim === 'number'));
    const left = this.#records.filter((_, index) => !taken.has(index));
    return compared.map(({ sent, relationOf, to }, index) => {
      const claim = claims[index] ?? 'none';
      if (claim !== 'none') return this.#claimFound(claim);
      const similar = left.find((record) => this.#mayBeMade(record, sent, relationOf(record)));
      if (similar) return similarFound(similar, relationOf(similar));
      return this.#noneFound(read, { sentMs: to, settleMs: timing.settleMs });
    });
  }

  #claimFound(claim: Exclude<Claim, 'none'>): Finding {
    if (claim === 'ambiguous')
      return unknown(
        'ambiguous',
        'Several records have the values of the row, and payctl cannot tell which one the row created',
      );
    const { id, value = {} } = this.#records[claim] ?? {};
    const found = { ...(id !== undefined && { id }), ...statusMember(value) };
    return isFailure(value.status)
      ? { ...recordFailed(value.status), ...found }
      : { state: 'done', ...found };
  }

  /** Whether records that rows of the plan are known to have made are not in the list. */
  get #lacksDone(): boolean {
    const { done, unnamed } = this.#parts;
    return this.#claimed < done - unnamed;
  }

  /** Whether a record that no row has claimed could have been made by a row, so that the row may not be sent again. */
  #mayBeMade({ value }: ListedRecord, sent: Sent, relation: Relation): boolean {
    const { fit, hasIdentifier } = fitOf(sent, value);
    if (relation === 'long before') return fit === 'same' && hasIdentifier;
    if (relation === 'unknown') return !isNamedOtherwise(sent, value);
    // A service may write values in another way, and others seldom make records below one: what was made just then is probably the row's.
    if (relation === 'within' && this.#parts.operation.pathParameters.length > 0) return true;
    return fit !== 'other';
  }

  #noneFound({ isWhole, beganMs, offset }: ReadList, { sentMs, settleMs }: Sending): Finding {
    if (!isWhole)
      return unknown('list_incomplete', 'The record is not in the list, but the list may be incomplete');
    if (this.#lacksDone)
      return unknown(
        'list_incomplete',
        'The list does not contain all records that rows of this plan have created',
      );
    return notCarriedOut({ beganMs, offset }, { sentMs, settleMs });
  }
}

/** When a row was last sent, by the clock of the service, and how long the request may take. */
type Sending = { readonly sentMs: number | undefined; readonly settleMs: number };

/** The finding for a row whose change was not found: not carried out, unless the request may still be in progress. */
export function notCarriedOut(
  { beganMs, offset }: Pick<ReadList, 'beganMs' | 'offset'>,
  { sentMs, settleMs }: Sending,
): Finding {
  if (beganMs === undefined || sentMs === undefined || !offset)
    return unknown(
      'no_clock',
      'The change was not found, but the service sends no Date header, so the request may still be in progress',
    );
  if (beganMs < sentMs + settleMs) {
    const at = new Date(sentMs + settleMs - offset.least + 1000).toISOString();
    const message = `The change was not found, but the request may still be in progress: reconcile again after ${at}`;
    return unknown('too_early', message);
  }
  return { state: 'failed', code: 'not_carried_out', message: 'The service did not carry out the change' };
}

function similarFound({ id, created }: ListedRecord, relation: Relation): Finding {
  const which = id === undefined ? 'A record without an ID' : `The record ${id}`;
  const when = created ? `, created at ${new Date(created.least).toISOString()},` : '';
  const [code, why] = WHY[relation];
  return unknown(code, `${which}${when} ${why}`);
}

const NOT_SURE = [
  'similar_record',
  'may be the record that the row created, but this is not certain',
] as const;

const MADE_BEFORE = ['made_before', 'is similar, but was created before the row was sent'] as const;

const WHY: Readonly<Record<Relation, readonly [code: string, why: string]>> = {
  'long before': MADE_BEFORE,
  before: MADE_BEFORE,
  within: NOT_SURE,
  late: ['made_later', 'is similar, but was created later than --settle after the row was sent'],
  unknown: NOT_SURE,
};
