import { type Client, type ClientOptions, createClient } from '../../client/client.ts';
import type { Settings } from '../../config/settings.ts';
import { operations } from '../../contract/operations.ts';
import { COMMAND_OPERATIONS } from '../command-operations.ts';
import { askLists, LISTS, type ListId, type Outcome } from './ask-lists.ts';
import { ok, type Verdict } from './finding.ts';
import { isRefusal, judgeMerchantAccount } from './judge-merchant-account.ts';
import { judgeCommands, judgeScopes } from './judge-scopes.ts';
import type { OpenCredentials } from './open-credentials.ts';

/** What commands are tried out with. */
export type CommandParts = {
  readonly settings: Settings;
  readonly credentials: OpenCredentials;
  readonly options: ClientOptions;
  readonly signal: AbortSignal;
};

/** The two verdicts that rest on the same calls. */
export type CommandVerdicts = { readonly scopes: Verdict; readonly merchantAccount: Verdict };

const ALL = Object.keys(LISTS) as ListId[];

/**
 * Tries the commands out that change nothing, each with a token for its own scope; where a merchant account may be the
 * reason of refusals, once more without it.
 * @throws AbortedError
 */
export async function checkCommands(parts: CommandParts): Promise<CommandVerdicts> {
  const { settings, credentials, options, signal } = parts;
  const { value: id, source } = settings.merchantAccount;
  const ask = (client: Client, ids: readonly ListId[]) => askLists(client, ids, signal);
  const withAccount = await withClient({ ...options, merchantAccount: id }, (client) => ask(client, ALL));
  const scopesBy = (outcomes: ReadonlyMap<ListId, Outcome>): Verdict =>
    judgeScopes(
      judgeCommands(COMMAND_OPERATIONS, { outcomes, claims: credentials.claims }),
      credentials.source.kind,
    );
  if (id === undefined) {
    const merchantAccount = ok('none chosen: the header is not sent', { merchant_account: null });
    return { scopes: scopesBy(withAccount), merchantAccount };
  }
  const sent = new Map([...withAccount].filter(([list]) => operations[list].merchantAccount));
  const isAccepted = [...sent.values()].some(({ error }) => !error);
  const doubtful = isAccepted
    ? []
    : [...sent].filter(([, outcome]) => isRefusal(outcome)).map(([list]) => list);
  const withoutAccount = await withClient(options, (client) => ask(client, doubtful));
  const merchantAccount = judgeMerchantAccount({ id, source }, { withAccount: sent, withoutAccount });
  // A merchant account that is at fault itself says nothing about scopes.
  const isAtFault = merchantAccount.state === 'fault';
  return {
    scopes: scopesBy(isAtFault ? new Map([...withAccount, ...withoutAccount]) : withAccount),
    merchantAccount,
  };
}

/** Makes a client for some calls and closes it. */
export async function withClient<T>(options: ClientOptions, use: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient(options);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
