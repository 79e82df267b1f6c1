import type { Environment } from '../../config/environment.ts';
import type { ImportedOperation, IndexedOperation } from '../../descriptions/imported-operation.ts';
import { readImport, readOperation } from '../../descriptions/read-store.ts';
import { profileIn } from '../routing/leading-flags.ts';
import { type DescriptionInUse, descriptionInUse } from './description-in-use.ts';

/** The imported description of a run, of which single operations can be read. */
export type OpenedDescription = Omit<DescriptionInUse, 'folder'> & {
  /** Everything that is known about an operation of the index, except for the schema of its response. @throws UsageError `description_damaged` */
  operation(indexed: IndexedOperation): ImportedOperation;
};

/**
 * Opens the description of a run, whose words may name a profile; undefined where there is none. For the emulator, which answers
 * from all of it, it is read whole: what is damaged would else be found during a request.
 * @throws UsageError as `descriptionInUse`
 */
export async function openDescription(
  argv: readonly string[],
  environment: Environment,
): Promise<OpenedDescription | undefined> {
  const profile = profileIn(argv);
  const description = await descriptionInUse({ environment, profile });
  if (!description) return undefined;
  const { folder, index, profiles } = description;
  if ((profile ?? environment.profile ?? profiles?.active) === 'emulator') readImport(folder, index);
  return { index, profiles, operation: (indexed) => readOperation(folder, indexed, { response: false }) };
}
