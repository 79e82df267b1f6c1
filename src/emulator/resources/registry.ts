import type { OperationId } from '../../contract/generated/operations.ts';
import * as all from './all.ts';
import type { Handler, Resource, Seed } from './resource.ts';

const resources: readonly Resource[] = Object.values(all);

type KeysOf<Part> = Part extends unknown ? keyof Part : never;
type Handled = KeysOf<(typeof all)[keyof typeof all]['handlers']>;

/** What handles each operation of the contract. */
export const handlers = Object.assign({}, ...resources.map((resource) => resource.handlers)) as {
  readonly [Id in Handled]: Handler<Id>;
} satisfies { readonly [Id in OperationId]: Handler<Id> };

/** The tables of all resources. They refer to `merchant_accounts`, which belongs to none of them. */
export const resourceTables = resources.flatMap(({ tables }) => tables);

/** The indexes of all resources. */
export const resourceIndexes = resources.flatMap(({ indexes = [] }) => indexes);

/** Loads what seeds the resources that are seeded one by one. */
export async function loadSeeds(): Promise<readonly Seed[]> {
  return await Promise.all(resources.flatMap(({ loadSeed }) => (loadSeed ? [loadSeed()] : [])));
}
