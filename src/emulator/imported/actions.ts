import { snake } from '../../descriptions/values/names.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { type Found, type OperationRequest, requireRecord } from './call.ts';
import { type Changed, create } from './changes.ts';
import type { Kind } from './kinds.ts';
import { act, type Change, capture, refund } from './money.ts';
import { amountOfMove } from './moves.ts';
import { type Document, overlay, withMember } from './overlay.ts';
import { keepMoney, type Update } from './payment-invariants.ts';
import type { PreparedSchema } from './prepared.ts';
import { audit, save, stamped } from './save.ts';
import { actionVerb, statusAfter, statusesOf } from './status-vocabulary.ts';
import { undoMove } from './undo.ts';
import { writable } from './writable.ts';

/** Does what the last word of the path says with the record before it. @throws HttpError `not_found`, and as `money.ts` */
export function perform(call: OperationRequest, kind: Kind): Changed {
  const { served, body, records } = call;
  const found = requireRecord(call, kind);
  const { schema, stored } = found;
  const record = parseKeepingNumbers(stored.document);
  const amounts = { schema, body, remembered: stored };
  const verb = actionVerb(served.verb, found.kind.noun);
  const refunded = verb === 'refund' ? refund(record, amounts) : undefined;
  const change = verb === 'capture' ? capture(record, amounts) : refunded;
  const { record: acted, remembered } = change ?? act(verb, record, { schema, remembered: stored });
  const changed = change ?? withOtherMembers(call, found, { before: acted, remembered });
  const isUnchanged = JSON.stringify(acted) === stored.document;
  const dated = isUnchanged ? changed.record : timed(call, changed.record, { verb, schema });
  undoMove(call, found, { record: dated, remembered: changed.remembered });
  const document = save(call, found, {
    record: stamped(call, dated, schema),
    remembered: changed.remembered,
  });
  audit(call, verb, found);
  const refunds = refunded && records.kinds.called('refund');
  const isBelow = refunds && records.canonical(refunds).parent === found.kind;
  if (!isBelow) return { document, schema };
  const made = recordRefund(call, refunds, { id: stored.id, payment: { ...found, record }, refunded });
  const isAnswer =
    call.prepared.response?.name !== undefined && call.prepared.response.name === made.schema.name;
  return isAnswer ? made : { document, schema };
}

/** The other members of the body. */
function withOtherMembers(
  call: OperationRequest,
  { kind, schema }: Found,
  { before, remembered }: Pick<Update, 'before' | 'remembered'>,
): Change {
  const body = writable(call.body, schema);
  return keepMoney(call, { kind, schema, body, before, after: overlay(before, body, schema), remembered });
}

/** A refund that an action makes is found in the list of refunds, too. */
function recordRefund(
  call: OperationRequest,
  kind: Kind,
  {
    id,
    payment,
    refunded,
  }: { id: string; payment: { schema: PreparedSchema; record: Document }; refunded: Change },
): Changed {
  const { served } = call;
  const canonical = call.records.canonical(kind);
  const amount = amountOfMove(call, canonical, { ...payment, amount: refunded.amount });
  const body = { ...call.body, ...amount, [canonical.parentName ?? '']: id };
  return create({ ...call, body, served: { ...served, above: served.above.slice(0, -1) } }, canonical, {
    isSettled: true,
  });
}

/** The member that says when an action happened, such as `captured_at`. */
function timed(
  { context }: OperationRequest,
  record: Document,
  { verb, schema }: { readonly verb: string; readonly schema: PreparedSchema },
): Document {
  const word = statusAfter(verb, statusesOf(schema));
  const at = word === undefined ? undefined : `${snake(word)}_at`;
  const name = [...schema.members.keys()].find((one) => snake(one) === at);
  return name === undefined ? record : withMember(record, name, context.now.toISOString(), schema);
}
