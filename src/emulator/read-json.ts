import type { Operation } from '../contract/operations.ts';
import { type KeptNumbers, parseKeepingNumbers } from './keep-numbers.ts';
import { Refusal, ValidationRefusal } from './respond.ts';

/** A body that is a JSON object: `value` to look at, `exact` to store and write again. */
export type JsonBody = {
  readonly value: Readonly<Record<string, unknown>>;
  readonly exact: KeptNumbers;
};

/** Beyond it, writing a value again could use up the stack. */
const deepest = 100;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a body that must be a JSON object.
 * @throws Refusal `bad_request` without a body; for one that is no JSON or no object a ValidationRefusal where the
 * contract lists 422 for the operation, else Refusal `bad_request`
 */
export function readJson(operation: Operation, body: Buffer): JsonBody {
  if (body.length === 0) {
    throw bodyRefusal('value_error.missing', 'field required');
  }
  const text = decode(operation, body);
  requireShallow(text);
  const value = parse(operation, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const fault = { type: 'type_error.object', message: 'must be an object' };
    throw unreadable(operation, fault, value);
  }
  return { value: value as JsonBody['value'], exact: parseKeepingNumbers(text) };
}

function decode(operation: Operation, body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw unreadable(operation, { type: 'value_error.jsondecode', message: 'must be UTF-8' }, null);
  }
}

function parse(operation: Operation, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(operation, { type: 'value_error.jsondecode', message: 'must be valid JSON' }, null);
  }
}

function requireShallow(text: string): void {
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index += 1) {
    const mark = text[index];
    if (mark === '"') isInText = !isInText;
    else if (isInText) index += mark === '\\' ? 1 : 0;
    else if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (depth > deepest) {
      throw bodyRefusal('value_error.depth', `must not be nested more than ${deepest} levels deep`);
    }
  }
}

function unreadable(operation: Operation, fault: { type: string; message: string }, input: unknown): Error {
  const { type, message } = fault;
  if (!operation.errors.includes(422)) return bodyRefusal(type, message);
  return new ValidationRefusal([
    { loc: ['body'], msg: message, type: type.replace(/^.*\./, ''), input, ctx: {} },
  ]);
}

function bodyRefusal(type: string, message: string): Refusal {
  return new Refusal('bad_request', { details: [{ type, pointer: '', message, location: 'body' }] });
}
