import { memberAt } from './is-object.ts';

/** A name as one segment of a JSON pointer (RFC 6901), without the slash before it. */
export function pointerSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The name that a segment of a JSON pointer stands for. */
export function nameOfSegment(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The JSON pointer that these names lead to. */
export function pointerTo(names: readonly string[]): string {
  return names.map((name) => `/${pointerSegment(name)}`).join('');
}

/** The names in a JSON pointer. */
export function segmentsOf(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(nameOfSegment);
}

/** The value that a JSON pointer names. Only own members count. */
export function valueAtPointer(value: unknown, pointer: string): unknown {
  return memberAt(value, segmentsOf(pointer));
}
