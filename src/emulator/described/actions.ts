import { parseKeepingNumbers } from '../../json/exact.ts';
import { type Call, requireRecord } from './call.ts';
import { audit, type Changed, create, save, stamped } from './changes.ts';
import type { Kind } from './kinds.ts';
import { act, capture, refund } from './money.ts';
import { type Document, overlay, withMember, writable } from './overlay.ts';
import type { PreparedSchema } from './prepared.ts';
import { statusAfter, statusesOf } from './words.ts';

/** Does what the last word of the path says with the record before it. @throws HttpError `not_found`, and as `money.ts` */
export function perform(call: Call, kind: Kind): Changed {
  const { served, body, records } = call;
  const found = requireRecord(call, kind);
  const { schema, stored } = found;
  const record = parseKeepingNumbers(stored.document);
  const amounts = { schema, body, remembered: stored };
  const verb = served.verb;
  const refunded = verb === 'refund' ? refund(record, amounts) : undefined;
  const change = verb === 'capture' ? capture(record, amounts) : refunded;
  const acted = change?.record ?? act(verb, record, schema, stored);
  const told = change ? acted : overlay(acted, writable(body, schema), schema);
  const dated = JSON.stringify(acted) === stored.document ? told : timed(call, told, schema);
  const document = save(call, found, {
    record: stamped(call, dated, schema),
    remembered: change?.remembered ?? stored,
  });
  audit(call, verb, found);
  const refunds = refunded && records.kinds.called('refund');
  const isBelow = refunds && records.home(refunds).parent === found.kind;
  if (!isBelow) return { document, schema };
  const made = recordRefund(call, refunds, { id: stored.id, amount: refunded.amount });
  const isAnswer =
    call.prepared.response?.name !== undefined && call.prepared.response.name === made.schema.name;
  return isAnswer ? made : { document, schema };
}

/** A refund that an action makes is found in the list of refunds, too. */
function recordRefund(
  call: Call,
  kind: Kind,
  { id, amount }: { readonly id: string; readonly amount: number | undefined },
): Changed {
  const { served } = call;
  const home = call.records.home(kind);
  const body = { ...call.body, ...(amount !== undefined && { amount }), [home.parentName ?? '']: id };
  return create({ ...call, body, served: { ...served, above: served.above.slice(0, -1) } }, home, {
    isSettled: true,
  });
}

/** The member that says when an action happened, such as `captured_at`. */
function timed({ served, context }: Call, record: Document, schema: PreparedSchema): Document {
  const word = statusAfter(served.verb, statusesOf(schema));
  return word === undefined ? record : withMember(record, `${word}_at`, context.now.toISOString(), schema);
}
