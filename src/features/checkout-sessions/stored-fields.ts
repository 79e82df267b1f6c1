import type { Body } from '../../cli/read-body.ts';
import type { CheckoutSession } from '../../client/client.ts';
import { ResponseError } from '../../client/errors.ts';
import { responseOf } from '../../client/response.ts';
import { isNestedDeeper, MAX_DEPTH } from '../../json/depth.ts';
import { parseExactJson, parseKeepingNumbers, stringifyExactJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { pointerSegment } from '../../json/pointer.ts';
import type { SessionChanges, StoredFields } from './changes.ts';

/**
 * The fields of a session that changes can be made in, exactly as the service wrote them.
 * @throws ResponseError `unexpected_shape` where they do not have the form of the contract: a change could lose something
 */
export function storedFields(session: CheckoutSession): StoredFields {
  const text = responseOf(session)?.text ?? JSON.stringify(session);
  if (isNestedDeeper(text, MAX_DEPTH))
    throw unusable(session, `is nested more than ${MAX_DEPTH} levels deep`);
  const { cart_items: items, metadata } = parseKeepingNumbers(text);
  if (items != null && !Array.isArray(items)) throw unusable(session, 'has cart_items that are not an array');
  if (metadata != null && !isObject(metadata)) throw unusable(session, 'has metadata that is not an object');
  return { cart_items: items ?? [], metadata: metadata ?? {} };
}

function unusable(session: CheckoutSession, problem: string): Error {
  const response = responseOf(session);
  const message = `The stored session ${problem}, so it cannot be changed in parts`;
  if (!response) return new TypeError(message);
  return new ResponseError('unexpected_shape', message, {
    ...response,
    hint: 'Replace the whole field with --cart-items or --metadata.',
  });
}

/**
 * The JSON pointer to the first value of an update that a session does not hold, or to a key that it should no longer hold;
 * undefined where there is none. Members that the service adds do not count, and null is the same as none.
 */
export function findDifference(
  sent: Body,
  session: CheckoutSession,
  { removeMetadata }: SessionChanges,
): string | undefined {
  const expected = parseExactJson(stringifyExactJson(sent)) as Body;
  if (isObject(expected.metadata)) {
    const removed = Object.fromEntries(removeMetadata.map((key) => [key, null]));
    expected.metadata = { ...expected.metadata, ...removed };
  }
  return differenceAt('', expected, session);
}

function differenceAt(pointer: string, expected: unknown, found: unknown): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || found.length !== expected.length) return pointer;
    return first(
      expected.map((item, index) => [String(index), item]),
      { pointer, found },
    );
  }
  if (!isObject(expected)) return (expected ?? null) === (found ?? null) ? undefined : pointer;
  return isObject(found) ? first(Object.entries(expected), { pointer, found }) : pointer;
}

function first(
  members: readonly (readonly [string, unknown])[],
  { pointer, found }: { readonly pointer: string; readonly found: object },
): string | undefined {
  for (const [name, value] of members) {
    const own = Object.hasOwn(found, name) ? (found as Record<string, unknown>)[name] : undefined;
    const difference = differenceAt(`${pointer}/${pointerSegment(name)}`, value, own);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
