import type { TokenProvider } from '../auth/token-source.ts';
import type { NeededScopes } from '../client/call.ts';
import type { Client } from '../client/client.ts';
import type { Credentials } from '../config/credentials.ts';
import type { Settings } from '../config/settings.ts';
import type { Display } from './display.ts';
import type { Runtime } from './runtime.ts';

/** One run of a command against the service: its settings, its client, and what failures are explained with. */
export type Session = {
  readonly settings: Settings;
  /** The credentials and the profile are only being tried, and are not stored yet. */
  readonly isTrial: boolean;
  readonly display: Display;
  /** Aborted by Ctrl-C and when nobody reads stdout any more. */
  readonly signal: AbortSignal;
  /**
   * The client; connected on the first call.
   * @throws UsageError, CredentialsError when settings or credentials are missing or cannot be used
   */
  client(): Promise<Client>;
  /** The token's provider, once there is a client that has one. */
  tokenProvider(): TokenProvider | undefined;
  /** The scopes of the last request. */
  neededScopes(): NeededScopes | undefined;
  close(): Promise<void>;
};

/** What `connect` makes: a client and what belongs to it. */
export type Connection = {
  readonly client: Client;
  readonly tokenProvider: TokenProvider | undefined;
  neededScopes(): NeededScopes | undefined;
  close(): Promise<void>;
};

/** What a session is opened with. */
export type SessionParts = {
  readonly settings: Settings;
  readonly display: Display;
  readonly runtime: Runtime;
  /** Show the request and send nothing. */
  readonly dryRun: boolean;
  /** Change things in production without asking. */
  readonly confirmed: boolean;
  /** In the place of those that the settings name. */
  readonly credentials?: Credentials | undefined;
};

/** Opens a session; nothing is read, loaded or sent before its client is asked for. */
export function openSession(parts: SessionParts): Session {
  const { settings, display, runtime } = parts;
  let connection: Connection | undefined;
  return {
    settings,
    isTrial: parts.credentials !== undefined,
    display,
    signal: AbortSignal.any([runtime.signal, display.stdout.closedSignal]),
    async client() {
      const { connect } = await import('./connect.ts');
      connection ??= await connect(parts);
      return connection.client;
    },
    tokenProvider: () => connection?.tokenProvider,
    neededScopes: () => connection?.neededScopes(),
    close: async () => connection?.close(),
  };
}
