import type { Client } from '../../client/client.ts';
import type { CloseOptions } from '../../client/transport.ts';
import type { Settings } from '../../config/settings.ts';
import type { Jq } from '../../output/list-page.ts';
import type { CredentialProvider } from '../../tokens/provider.ts';
import type { ReadRecord } from '../money/record.ts';
import type { Display } from '../show/display.ts';
import { openJq } from '../show/open-jq.ts';
import type { Change, Connection, SessionParts } from './connect.ts';

/** One run of a command against the service: its settings, its client, and what failures are explained with. */
export type Session = {
  readonly settings: Settings;
  /** The credentials and the profile are only being tried, and are not stored yet. */
  readonly isTrial: boolean;
  readonly display: Display;
  /** Undefined where the run only reads, or only shows its request. */
  readonly change?: Change | undefined;
  /** Aborted by Ctrl-C, and when the reader of stdout has closed it. */
  readonly signal: AbortSignal;
  /**
   * The compiled expression of --jq, where there is one. It gets ready while credentials are read.
   * @throws UsageError `invalid_jq`
   */
  readonly jq?: Promise<Jq | undefined> | undefined;
  /**
   * The client; connected on the first call.
   * @throws UsageError, CredentialsError when settings or credentials are missing or cannot be used
   */
  client(): Promise<Client>;
  /** Reads the record that a change concerns, once in a run. @throws as `client` */
  readonly record: ReadRecord;
  /** The token's provider, once there is a client that has one. */
  tokenProvider(): CredentialProvider | undefined;
  close(options?: CloseOptions): Promise<void>;
};

/** Opens a session; nothing is read, loaded or sent before its client is asked for. */
export function openSession(parts: SessionParts & { readonly jq?: string | undefined }): Session {
  const { settings, display, change } = parts;
  const jq = parts.jq === undefined ? undefined : openJq(display, parts.jq);
  // It is awaited later, or never where the run fails before.
  jq?.catch(() => {});
  let connection: Connection | undefined;
  let opening: Promise<Connection> | undefined;
  const connectOnce = async () => {
    const { connect } = await import('./connect.ts');
    connection = await connect(parts);
    return connection;
  };
  // Lists that are read side by side ask for it at the same time.
  const open = async () => {
    opening ??= connectOnce();
    return await opening;
  };
  return {
    settings,
    isTrial: parts.credentials !== undefined,
    display,
    change,
    signal: display.signal,
    jq,
    client: async () => (await open()).client,
    record: async (change) => await (await open()).record(change),
    tokenProvider: () => connection?.tokenProvider,
    close: async (closing) => connection?.close(closing),
  };
}
