/** Sixteen digits in a row: fewer cannot make an integer that a double does not hold. */
const longNumber = /\d{16}/;

type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/**
 * Parses JSON; integers beyond 2^53 become bigint so that none of their digits is lost.
 * @throws SyntaxError when the text is no JSON
 */
export function parseExact(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text);
  const parse = JSON.parse as (text: string, reviver: SourceReviver) => unknown;
  return parse(text, (_, value, context) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    return context.source !== undefined && /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
  });
}
