import type { Convert } from '../../cli/body-command.ts';
import { readPairs } from '../../cli/flags/body.ts';
import { type Body, readJson, requireValidBody } from '../../cli/read-body.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { Display } from '../../cli/show/display.ts';
import { bodyRefused, UsageError } from '../../errors.ts';
import { isObject, own } from '../../json/is-object.ts';
import { plural } from '../../text/format.ts';

/** What flags change in the fields that a session has, instead of replacing them. */
export type SessionChanges = {
  /** Cart items to add at the end, numbers as they were written. */
  readonly addItems: readonly object[];
  readonly setMetadata: Readonly<Record<string, string>>;
  readonly removeMetadata: readonly string[];
};

/** The flags that changes are read from. */
export type ChangeFlagValues = {
  readonly 'add-cart-item'?: readonly string[] | undefined;
  readonly 'set-metadata'?: readonly string[] | undefined;
  readonly 'remove-metadata'?: readonly string[] | undefined;
};

/** What changes are read with. */
type Deps = {
  readonly runtime: Runtime;
  readonly warn: Display['warn'];
  readonly convert: Convert;
};

/** Whether a flag was given that changes a field of the stored session, so that the session has to be read first. */
export function givesChanges(flags: ChangeFlagValues): boolean {
  return Boolean(flags['add-cart-item'] ?? flags['set-metadata'] ?? flags['remove-metadata']);
}

/**
 * Reads the changes that flags give. `replaced` are the fields that are given whole, each with the flag that gives it.
 * @throws UsageError `bad_flag` for flags that contradict each other, `bad_body` for an item that breaks the contract, and those
 * of `readJson`
 */
export async function readChanges(
  flags: ChangeFlagValues,
  replaced: Readonly<Record<string, string>>,
  deps: Deps,
): Promise<SessionChanges> {
  for (const [flag, field] of CHANGED_FIELDS) {
    const other = flags[flag] && replaced[field];
    if (other !== undefined) throw contradiction(other, field, flag);
  }
  const setMetadata = readPairs('--set-metadata', flags['set-metadata']) ?? {};
  const removeMetadata = [...new Set(flags['remove-metadata'])];
  const both = removeMetadata.find((key) => Object.hasOwn(setMetadata, key));
  if (both !== undefined) {
    throw new UsageError('bad_flag', `${JSON.stringify(both)} is both set and removed`, {
      hint: 'Give the key to --set-metadata or to --remove-metadata.',
    });
  }
  return { addItems: await readItems(flags['add-cart-item'] ?? [], deps), setMetadata, removeMetadata };
}

const CHANGED_FIELDS = [
  ['add-cart-item', 'cart_items'],
  ['set-metadata', 'metadata'],
  ['remove-metadata', 'metadata'],
] as const;

function contradiction(other: string, field: string, flag: string): UsageError {
  const replaces = other === '--data' ? `${field} in --data` : other;
  return new UsageError('bad_flag', `--${flag} cannot be combined with ${replaces}`, {
    hint: `${replaces} replaces all ${field} of the session; --${flag} changes what is stored.`,
  });
}

async function readItems(given: readonly string[], { runtime, warn, convert }: Deps): Promise<object[]> {
  const items: object[] = [];
  for (const [index, text] of given.entries()) {
    const flag = given.length === 1 ? '--add-cart-item' : `--add-cart-item number ${index + 1}`;
    const item = await readJson(text, '--add-cart-item', runtime);
    if (!isObject(item)) {
      const advice = `Use one item such as '{"name":"Tea","quantity":2,"unit_amount":450}'; repeat the flag for several.`;
      throw bodyRefused(`${flag} must be a JSON object`, advice);
    }
    const { body: converted, requireCurrency } = await convert({ cart_items: [item] });
    const body = isObject(converted) ? converted : {};
    const part = { name: flag, pointer: '/cart_items/0' };
    await requireValidBody('CheckoutSessionUpdate', body, { warn, part });
    await requireCurrency();
    if (Array.isArray(body.cart_items)) items.push(...body.cart_items);
  }
  return items;
}

/** The fields of a session that changes can be made in, numbers as the service wrote them. */
export type StoredFields = {
  readonly cart_items: readonly unknown[];
  readonly metadata: Readonly<Record<string, unknown>>;
};

/** What changes make of a session. */
export type Merged = {
  /** The fields that are not as they are stored, each whole. */
  readonly body: Body;
  /** Keys to remove that the session does not have. */
  readonly missing: readonly string[];
  /** What changes, in a sentence; empty where nothing does. */
  readonly summary: string;
};

/** Makes the changes in what is stored: all that they do not name stays as it is, and in its order. */
export function mergeChanges({ cart_items: items, metadata }: StoredFields, changes: SessionChanges): Merged {
  const { addItems, setMetadata, removeMetadata } = changes;
  const set = Object.keys(setMetadata).filter((key) => own(metadata, key) !== setMetadata[key]);
  const removed = removeMetadata.filter((key) => Object.hasOwn(metadata, key));
  const kept = Object.entries(metadata).filter(([key]) => !removed.includes(key));
  const isMetadataChanged = set.length + removed.length > 0;
  const parts = [
    addItems.length > 0 &&
      `adds ${plural(addItems.length, 'item')} to ${items.length === 0 ? 'the empty cart' : `the ${items.length} in the cart`}`,
    set.length > 0 && `sets metadata ${listed(set)}`,
    removed.length > 0 && `removes metadata ${listed(removed)}`,
  ].filter(Boolean);
  return {
    body: {
      ...(addItems.length > 0 && { cart_items: [...items, ...addItems] }),
      ...(isMetadataChanged && { metadata: { ...Object.fromEntries(kept), ...setMetadata } }),
    },
    missing: removeMetadata.filter((key) => !removed.includes(key)),
    summary: parts.length === 0 ? '' : `The update ${parts.join(', ')}.`,
  };
}

function listed(keys: readonly string[]): string {
  return keys.map((key) => JSON.stringify(key)).join(', ');
}
