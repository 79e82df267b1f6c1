import { createHash, randomBytes } from 'node:crypto';
import type { WebhookSubscription } from '../../contract/generated/types.ts';
import { UsageError } from '../../errors.ts';
import { quote } from '../../text/format.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';
import { isLoopback } from './loopback.ts';

/** A receiver that a start of the emulator names. */
export type Subscribed = {
  readonly url: string;
  /** Undefined for one that the emulator makes. */
  readonly secret: string | undefined;
};

const HINT =
  'For example: --subscribe http://127.0.0.1:3000/hooks, or with a secret in a file: --subscribe http://127.0.0.1:3000/hooks=@FILE';

/**
 * Takes `URL`, `URL=SECRET` or `URL=@FILE` apart; `file` is that of the secret, which is not read. In a URL with a query, which has `=` of its
 * own, only `=@FILE` at the end is a secret.
 * @throws UsageError `invalid_subscription`
 */
export function parseSubscribed(text: string): Subscribed & { readonly file?: string } {
  const [, before = '', path] = /^(.*?)=@(.*)$/.exec(text) ?? [];
  const at = path === undefined && !text.includes('?') ? text.indexOf('=') : -1;
  const url = path !== undefined ? before : at === -1 ? text : text.slice(0, at);
  const given = at === -1 ? undefined : text.slice(at + 1);
  if (given === '') throw invalid('has an empty secret', url);
  const parsed = URL.parse(url);
  // What a URL parser would repair silently is refused.
  if (parsed?.protocol !== 'http:' || /[\s\\]/.test(url)) throw invalid('is not an http URL', url);
  if (!isLoopback(parsed))
    throw invalid('is not a loopback address, the only kind that the emulator delivers to', url);
  if (parsed.username !== '' || parsed.password !== '') throw invalid('has credentials', parsed.host);
  return path === undefined ? { url, secret: given } : { url, secret: given, file: path };
}

function invalid(problem: string, url: string): UsageError {
  return new UsageError('invalid_subscription', `The URL of --subscribe ${problem}: ${quote(url)}`, {
    hint: HINT,
  });
}

/** By which the subscriptions of `--subscribe` are told from others. */
const CREATOR = 'emulator-start';

/**
 * Makes these receivers active subscriptions of every merchant account, in place of those that earlier starts named. A URL keeps its ID, and the
 * secret that was made for it.
 */
export function replaceSubscriptions(database: EmulatorDatabase, subscribed: readonly Subscribed[]): void {
  database.inTransaction(() => {
    const sql = "SELECT id, document FROM webhook_subscriptions WHERE document ->> '$.creator.id' = ?";
    const before = database.prepare(sql).all(CREATOR);
    const secrets = new Map(before.map(({ id, document }) => [String(id), secretOf(String(document))]));
    for (const id of secrets.keys())
      database.prepare('DELETE FROM webhook_subscriptions WHERE id = ?').run(id);
    const accounts = database.prepare('SELECT id FROM merchant_accounts').all();
    const wanted = new Map(subscribed.map((one) => [one.url, one]));
    for (const { url, secret: given } of wanted.values()) {
      const ids = accounts.map(({ id: account }) => ({
        account: String(account),
        id: idOf(url, String(account)),
      }));
      const known = ids.map(({ id }) => secrets.get(id)).find((one) => one !== undefined);
      const secret = given ?? known ?? randomBytes(30).toString('base64url').replaceAll(/[-_]/g, 'x');
      for (const { account, id } of ids) insertSubscription(database, account, { id, url, secret });
    }
  });
  database.keys.clear();
}

function secretOf(document: string): string | undefined {
  return (JSON.parse(document) as WebhookSubscription).secret ?? undefined;
}

function insertSubscription(
  database: EmulatorDatabase,
  account: string,
  { id, url, secret }: { readonly id: string; readonly url: string; readonly secret: string },
): void {
  const document: WebhookSubscription = {
    type: 'webhook-subscription',
    id,
    active: true,
    url,
    rotating: false,
    merchant_account_id: account,
    secret,
    creator: { id: CREATOR, name: 'payctl emulator start --subscribe' },
  };
  insertRow(database, 'webhook_subscriptions', {
    id,
    merchant_account_id: account,
    created_ms: Date.now(),
    document: JSON.stringify(document),
  });
}

/** A UUID that follows from a URL and a merchant account. */
function idOf(url: string, account: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([url, account]))
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x80;
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
