import { BusError } from './bus.ts';
import type { SecretCipher } from './key-exchange.ts';
import type { Message } from './message.ts';
import { bytesFrom, listFrom } from './types.ts';

/** A secret with what it is found by. */
export type Item = {
  readonly label: string;
  readonly attributes: Readonly<Record<string, string>>;
  secret: Buffer;
};

/** What somebody does who is asked to unlock the keyring. */
export type Person = 'unlocks' | 'dismisses' | 'is away';

/** All that the service knows. */
export type Vault = {
  /** By object path. */
  readonly items: Map<string, Item>;
  /** By the path of the session. */
  readonly ciphers: Map<string, SecretCipher>;
  /** The text that a method refuses with, by its name. */
  readonly refusals: Map<string, string>;
  readonly calls: string[];
  locked: boolean;
  person: Person;
  hasDefaultCollection: boolean;
  isOnBus: boolean;
};

const ERROR = 'org.freedesktop.Secret.Error';

/** An unlocked vault without items, whose service is on the bus. */
export function createVault(): Vault {
  return {
    items: new Map(),
    ciphers: new Map(),
    refusals: new Map(),
    calls: [],
    locked: false,
    person: 'is away',
    hasDefaultCollection: true,
    isOnBus: true,
  };
}

/** The item that a call is addressed to. @throws BusError when there is none, or it is locked. */
export function itemAt(vault: Vault, { path }: Message): Item {
  const item = vault.items.get(String(path));
  if (!item) throw new BusError(`${ERROR}.NoSuchObject`, `there is no ${path}`);
  if (vault.locked) throw new BusError(`${ERROR}.IsLocked`, 'the item is locked');
  return item;
}

/** The secret that a client sent: session, initialisation vector, encrypted bytes. */
export function decrypt(vault: Vault, secret: unknown): Buffer {
  const [session, iv, data] = listFrom(secret);
  return cipherOf(vault, session).decrypt(bytesFrom(iv), bytesFrom(data));
}

/** @throws BusError when no such session was opened. */
export function cipherOf(vault: Vault, session: unknown): SecretCipher {
  const cipher = vault.ciphers.get(String(session));
  if (!cipher) throw new BusError(`${ERROR}.NoSession`, 'there is no such session');
  return cipher;
}
