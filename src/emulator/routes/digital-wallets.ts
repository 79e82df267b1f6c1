import { answerList } from '../answer-list.ts';
import { digitalWalletListing } from '../digital-wallets-store.ts';
import type { Handler } from '../route-context.ts';

/** GET /digital-wallets: all wallets of a merchant account (specification, GET /digital-wallets). */
export const listDigitalWallets: Handler<'listDigitalWallets'> = ({ database, merchantAccount }) =>
  answerList(database, digitalWalletListing(merchantAccount));
