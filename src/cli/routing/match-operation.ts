import type { Operation } from '../../contract/operation.ts';
import { decodeComponent } from '../../text/decode.ts';

/** The first of these operations that a request is one of; a path of fixed segments wins over one with parameters. */
export function matchOperation<T extends Pick<Operation, 'method' | 'path'>>(
  method: string,
  path: string,
  operations: Iterable<T>,
): T | undefined {
  const segments = path.split('/');
  let best: { readonly operation: T; readonly fixed: number } | undefined;
  for (const operation of operations) {
    if (operation.method !== method) continue;
    const fixed = fixedSegments(operation.path.split('/'), segments);
    if (fixed !== undefined && (!best || fixed > best.fixed)) best = { operation, fixed };
  }
  return best?.operation;
}

/** How many segments of a template are the same in the path, a half for each that is partly; undefined where the path does not fit. */
function fixedSegments(template: readonly string[], segments: readonly string[]): number | undefined {
  if (template.length !== segments.length) return undefined;
  let fixed = 0;
  for (const [index, part] of template.entries()) {
    const segment = segments[index] ?? '';
    if (part === segment || part === decodeComponent(segment)) fixed += 1;
    else if (!valuesIn(part, segment)) return undefined;
    else if (!/^\{[^{}]*\}$/.test(part)) fixed += 0.5;
  }
  return fixed;
}

/** The values of the parameters of a part such as `{id}` or `{x},{y}.png` in a segment; undefined where it lacks one. */
export function valuesIn(part: string, segment: string): ReadonlyMap<string, string> | undefined {
  const [first = '', ...rest] = part.split(/\{([^{}]*)\}/);
  const text = decodeComponent(segment);
  if (rest.length === 0 || !text.startsWith(first)) return undefined;
  const values = new Map<string, string>();
  let begin = first.length;
  for (let index = 0; index < rest.length; index += 2) {
    const [name = '', after = ''] = rest.slice(index, index + 2);
    const isLast = index + 2 === rest.length;
    const end = isLast ? text.length - after.length : text.indexOf(after, begin + 1);
    if (end <= begin || !text.startsWith(after, end)) return undefined;
    values.set(name, text.slice(begin, end));
    begin = end + after.length;
  }
  return values;
}
