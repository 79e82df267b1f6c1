import type { ImportedDescription } from '../descriptions/imported-operation.ts';
import { isObject } from '../json/is-object.ts';

/** What an emulator says about the description that it serves. */
export type ServedDescription = {
  readonly title: string;
  /** The version that the document states. */
  readonly version: string;
  /** The name of the imported file, without its folder. */
  readonly file: string;
  /** How many operations it has. */
  readonly operations: number;
};

/** What to say about a description. */
export function descriptionServed({
  title,
  version,
  file,
  operations,
}: ImportedDescription): ServedDescription {
  return { title, version, file, operations: operations.length };
}

/** Reads what another process says; undefined for anything else. */
export function asServed(value: unknown): ServedDescription | undefined {
  if (!isObject(value)) return undefined;
  const { title, version, file, operations } = value;
  const isServed =
    [title, version, file].every((one) => typeof one === 'string') && Number.isInteger(operations);
  return isServed
    ? { title: String(title), version: String(version), file: String(file), operations: Number(operations) }
    : undefined;
}
