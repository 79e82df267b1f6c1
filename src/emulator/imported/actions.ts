import { actionVerb } from '../../descriptions/action-words.ts';
import { type OperationRequest, requireRecord } from './call.ts';
import { create } from './changes.ts';
import type { Kind } from './kinds.ts';
import { setMembers } from './money/bodies.ts';
import { amountOfMove, type Moved, undoMove } from './money/captures-and-refunds.ts';
import { paymentOf, readPayment } from './money/payment.ts';
import { act, isMove } from './money/rules.ts';
import { statusAfter, timesOf } from './money/statuses.ts';
import { withMember } from './overlay.ts';
import type { Changed } from './present.ts';
import { recordChange, save } from './save.ts';

/** Performs the action that the last word of the path names on the record before it. @throws HttpError `not_found`, and as `act` */
export function perform(call: OperationRequest, kind: Kind): Changed {
  const { served, body, records, context } = call;
  const found = requireRecord(call, kind);
  const { schema, stored } = found;
  const verb = actionVerb(served.verb, found.kind.noun);
  const { newStatus = statusAfter(verb, schema) } = served;
  const payment = readPayment(found);
  const acted = act({ verb, newStatus }, payment, body);
  const after = () => paymentOf(acted.record, schema, acted.remembered);
  const changed = isMove(verb) ? acted : setMembers(call, after(), { kind: found.kind, given: body });
  // The member that says when an action happened, such as `captured_at`.
  const dateName = timesOf(schema).find(({ word }) => word === newStatus)?.name;
  const isUnchanged = JSON.stringify(acted.record) === stored.document;
  const now = context.now.toISOString();
  const dated = isUnchanged ? changed.record : withMember(changed.record, dateName, now, schema);
  undoMove(call, found, changed);
  const document = save(call, found, { ...changed, record: dated });
  recordChange(call, verb, { kind: found.kind, stored: { id: stored.id, document } });
  const called = verb === 'refund' ? records.called('refund') : undefined;
  const refunds = called && records.canonical(called);
  if (refunds?.parent !== found.kind) return { document, schema };
  const made = recordRefund(call, refunds, { id: stored.id, payment, amount: acted.amount });
  const { name } = call.prepared.response ?? {};
  return name !== undefined && name === made.schema.name ? made : { document, schema };
}

/** A refund that an action makes is found in the list of refunds, too. */
function recordRefund(call: OperationRequest, kind: Kind, { id, ...moved }: Moved & { id: string }): Changed {
  const body = { ...call.body, ...amountOfMove(call, kind, moved), [kind.parentName ?? '']: id };
  return create({ ...call, body }, kind, { isSettled: true });
}
