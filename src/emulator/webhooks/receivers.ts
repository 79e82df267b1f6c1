import { isSecretName, MASK } from '../../contract/secret-names.ts';
import { isObject } from '../../json/is-object.ts';
import { decodeComponent } from '../../text/decode.ts';
import { fitsEvent } from '../../webhooks/sends.ts';
import { maskedText } from '../resources/buyers.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { readMeta } from '../store/meta.ts';

/** A subscription: of the contract, or a record of an imported description. */
export type Receiver = {
  /** By which a delivery names it. */
  readonly key: string;
  /** The ID of its record. */
  readonly id: string;
  readonly isActive: boolean;
  readonly url: string;
  /** The events that it wants, `*` for any text; undefined for all. */
  readonly events: readonly string[] | undefined;
  /** One, or two while the secret is rotated. */
  readonly secrets: readonly string[];
  /** The value of the header `authorization`. */
  readonly authorization: string | undefined;
};

type Document = Readonly<Record<string, unknown>>;

/** The active subscriptions of a merchant account. They are kept until one changes. */
export function activeReceivers(database: EmulatorDatabase, account: string): readonly Receiver[] {
  return database.keys.cached(`webhooks of ${account}`, () => {
    const own = 'SELECT id AS key, document FROM webhook_subscriptions WHERE merchant_account_id = ?';
    const imported = `SELECT key, document, secrets FROM webhook_endpoints
      WHERE account IN (?, '') AND description = ?`;
    const rows = [
      ...database.prepare(own).all(account),
      ...database.prepare(imported).all(account, readMeta(database, 'description') ?? ''),
    ];
    return rows.map((row) => receiverIn(database, row)).filter(({ isActive }) => isActive);
  });
}

/** Finds a subscription by its key; undefined if it was deleted. */
export function findReceiver(database: EmulatorDatabase, key: string): Receiver | undefined {
  const own = 'SELECT id AS key, document FROM webhook_subscriptions WHERE id = ?';
  const imported = 'SELECT key, document, secrets FROM webhook_endpoints WHERE key = ?';
  const row = database.prepare(own).get(key) ?? database.prepare(imported).get(key);
  return row && receiverIn(database, row);
}

/** A record of a description that may be a subscription, and the body that created or changed it. */
type Endpoint = {
  readonly key: string;
  readonly description: string;
  /** Empty for all merchant accounts. */
  readonly account: string;
  readonly record: Document;
  readonly body: Document;
};

/** Stores where the events of a subscription of a description are sent; a record without a `url` has none. */
export function keepEndpoint(
  database: EmulatorDatabase,
  { key, description, account, record, body }: Endpoint,
): void {
  if (typeof record.url !== 'string') {
    database.prepare('DELETE FROM webhook_endpoints WHERE key = ?').run(key);
    return;
  }
  const known = database.prepare('SELECT secrets FROM webhook_endpoints WHERE key = ?').get(key);
  // The schema of the record may not show the secret that a body has.
  const given = [...new Set([...secretsIn(body), ...secretsIn(record)])];
  const secrets = known && given.length === 0 ? String(known.secrets) : JSON.stringify(given);
  const sql = 'INSERT OR REPLACE INTO webhook_endpoints VALUES (?, ?, ?, ?, ?)';
  database.prepare(sql).run(key, description, account, JSON.stringify(record), secrets);
}

function receiverIn(database: EmulatorDatabase, row: Readonly<Record<string, unknown>>): Receiver {
  const key = String(row.key);
  const document = JSON.parse(String(row.document)) as Document;
  const { id } = document;
  const { url, authorization } = addressIn(document);
  const known = typeof row.secrets === 'string' ? (JSON.parse(row.secrets) as string[]) : secretsIn(document);
  const [first = madeSecret(database, key), second] = known;
  return {
    key,
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : key,
    isActive: isActive(document),
    url,
    events: eventsIn(document),
    secrets: document.rotating === true && second !== undefined ? [first, second] : [first],
    authorization: authorizationIn(document) ?? authorization,
  };
}

/** The secret of a subscription that has none: always the same. */
export function madeSecret(database: EmulatorDatabase, key: string): string {
  const hmac = process
    .getBuiltinModule('node:crypto')
    .createHmac('sha256', readMeta(database, 'cursor_secret') ?? '');
  return hmac.update(`webhook ${key}`).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 40);
}

/** The secrets of a record or body, by the names of the members. Authentication has others. */
function secretsIn(document: Document): readonly string[] {
  return Object.entries(document).flatMap(([name, value]) => {
    const isSecret = (isSecretName(name) && !/pass|pwd|auth/i.test(name)) || name === 'token';
    return isSecret && typeof value === 'string' && value !== '' && !isMask(value) ? [value] : [];
  });
}

function isMask(text: string): boolean {
  return text === MASK || text === maskedText;
}

const OFF = /^(?:disabled|inactive|deactivated|paused|suspended|off)$/i;

function isActive({ active, is_active: isSet, enabled, status, state }: Document): boolean {
  if ([active, isSet, enabled].includes(false)) return false;
  return ![status, state].some((word) => typeof word === 'string' && OFF.test(word));
}

function eventsIn({
  events,
  event_types: types,
  enabled_events: enabled,
}: Document): readonly string[] | undefined {
  const list = [events, types, enabled].find((one) => Array.isArray(one) && one.length > 0);
  if (!Array.isArray(list)) return undefined;
  const names = list.map((one: unknown) => (isObject(one) ? (one.name ?? one.type) : one));
  return names.filter((name) => typeof name === 'string');
}

/** The URL without a user name and a password, which are sent as a header and shown nowhere. */
function addressIn({ url }: Document): Pick<Receiver, 'url' | 'authorization'> {
  const text = typeof url === 'string' ? url : '';
  const { username = '', password = '' } = URL.parse(text) ?? {};
  if (username === '' && password === '') return { url: text, authorization: undefined };
  const plain = Object.assign(new URL(text), { username: '', password: '' });
  return { url: plain.href, authorization: basic(decodeComponent(username), decodeComponent(password)) };
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function authorizationIn({ authentication }: Document): string | undefined {
  if (!isObject(authentication)) return undefined;
  const { kind, type = kind, username, password, token } = authentication;
  const given = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && !isMask(value);
  if (type === 'bearer') return given(token) ? `Bearer ${token}` : undefined;
  if (type !== 'basic' || !given(username)) return undefined;
  return given(password) ? basic(username, password) : undefined;
}

/** Whether a subscription wants an event. The descriptions of services write `payment_link.created`, too. */
export function wants(
  database: Pick<EmulatorDatabase, 'prepare'>,
  { events }: Pick<Receiver, 'events'>,
  event: string,
): boolean {
  return events === undefined || events.some((pattern) => fitsEvent(database, plain(pattern), plain(event)));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}
