import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Bus, startBus } from './secret-service/bus.ts';
import { createService } from './secret-service/service.ts';
import { createVault, type Person } from './secret-service/vault.ts';

/** One secret that was stored, and the name and attributes that people and programs find it by. */
export type StoredSecret = {
  readonly label: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly secret: string;
};

/** A Secret Service on a D-Bus session of its own. It is for child processes: the binding blocks the thread it is used on. */
export type SecretService = {
  /** What a process needs to find it. */
  readonly env: { readonly DBUS_SESSION_BUS_ADDRESS: string };
  /** What is stored at present, in the order of its creation. */
  items(): StoredSecret[];
  /** The names of the methods that were called since the last time this was asked. */
  takeCalls(): string[];
  /** Locks the keyring; `person` is what whoever is asked to unlock it does. */
  lock(person: Person): void;
  /** Puts these bytes in the place of every secret. */
  spoil(bytes: Buffer): void;
  /** Makes a method answer with an error of this text from now on. */
  refuse(method: string, text: string): void;
  /** Takes away the collection that new secrets go to. */
  removeDefaultCollection(): void;
  /** Takes the service off the bus, which stays. */
  leaveBus(): void;
  /** Ends the bus and all connections to it. */
  close(): Promise<void>;
};

/** Runs a Secret Service for the tests of a file, or of a `describe`. */
export function useSecretService(): SecretService {
  const { service, listen } = createSecretService();
  beforeAll(listen);
  afterAll(() => service.close());
  return service;
}

/** Runs a Secret Service for one test. */
export async function freshSecretService(): Promise<SecretService> {
  const { service, listen } = createSecretService();
  onTestFinished(() => service.close());
  await listen();
  return service;
}

function createSecretService(): { service: SecretService; listen: () => Promise<void> } {
  const vault = createVault();
  // Straight in the temporary directory: the path of a socket has little more than a hundred bytes.
  const folder = join(tmpdir(), `payctl-bus-${randomBytes(6).toString('hex')}`);
  const path = join(folder, 'bus');
  let bus: Bus | undefined;
  const service: SecretService = {
    env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` },
    items: () =>
      [...vault.items.values()].map(({ label, attributes, secret }) => ({
        label,
        attributes,
        secret: secret.toString('utf8'),
      })),
    takeCalls: () => vault.calls.splice(0),
    lock(person) {
      vault.locked = true;
      vault.person = person;
    },
    spoil(bytes) {
      for (const item of vault.items.values()) item.secret = bytes;
    },
    refuse: (method, text) => void vault.refusals.set(method, text),
    removeDefaultCollection() {
      vault.hasDefaultCollection = false;
    },
    leaveBus() {
      vault.isOnBus = false;
    },
    async close() {
      await bus?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const listen = async () => {
    mkdirSync(folder, { mode: 0o700 });
    bus = await startBus(path, createService(vault));
  };
  return { service, listen };
}
