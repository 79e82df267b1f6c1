import type { ImportedDescription } from '../descriptions/imported-operation.ts';
import { isObject } from '../json/is-object.ts';

/** The description that an emulator serves, as it says of itself. */
export type ServedDescription = {
  readonly title: string;
  /** The version that the document gives itself. */
  readonly version: string;
  /** Name of the file that it came from, without its folder. */
  readonly file: string;
  /** How many operations it has. */
  readonly operations: number;
};

/** What is said of a description that is served. */
export function descriptionServed({
  title,
  version,
  file,
  operations,
}: ImportedDescription): ServedDescription {
  return { title, version, file, operations: operations.length };
}

/** What another process has said; undefined for anything else. */
export function asServed(value: unknown): ServedDescription | undefined {
  if (!isObject(value)) return undefined;
  const { title, version, file, operations } = value;
  const isServed =
    [title, version, file].every((one) => typeof one === 'string') && Number.isInteger(operations);
  return isServed
    ? { title: String(title), version: String(version), file: String(file), operations: Number(operations) }
    : undefined;
}
