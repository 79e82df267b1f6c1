import type { OutputFlagValues } from '../../cli/flags/list.ts';
import type { Session } from '../../cli/session/session.ts';
import type { Settings } from '../../config/settings.ts';
import type { Operation } from '../../contract/generated/operations.ts';
import { NotFoundError, OutputError } from '../../errors.ts';
import { plural, quote, shellQuote } from '../../text/format.ts';
import { checkAccess } from '../../tokens/scopes.ts';
import { type BuyerSearch, type FoundBuyers, findBuyer, idOf } from './find-buyer.ts';
import { readSections } from './sections.ts';
import { buyerPrinter, showCandidates } from './show.ts';

type Request = {
  readonly text: string;
  readonly flags: OutputFlagValues;
  readonly members: Readonly<Record<string, Operation>>;
};

/**
 * Finds a buyer and prints it with what belongs to it.
 * @throws NotFoundError; OutputError `several_match` after a list of those that match
 */
export async function findAndShow(session: Session, { text, flags, members }: Request): Promise<void> {
  const { display, signal } = session;
  const print = await buyerPrinter(session, flags, members);
  const client = await session.client();
  // A key has no scopes until it has signed for some; a token says now what it holds.
  const held = session.tokenProvider()?.describe().scopes;
  const search: BuyerSearch = {
    client,
    text,
    signal,
    revealPii: flags['reveal-pii'] === true,
    mayCall: ({ scopes }) => checkAccess(held, [scopes]).access !== 'refused',
    onPage: (counts) => display.progress.update(counts),
    command: (words) => commandLine(words, session.settings),
  };
  display.progress.start();
  try {
    const found = await findBuyer(search);
    if (found.kind === 'none') throw notFound(text, found.lookedAt);
    if (found.kind === 'several') {
      await display.progress.stop();
      await showCandidates(session, found.buyers);
      throw severalMatch(text, found);
    }
    const { buyer, others } = found;
    const sections = await readSections(search, String(idOf(buyer.item)), display);
    await display.progress.stop();
    await print(buyer, sections);
    for (const { note } of sections) if (note !== undefined) display.info(note);
    if (others > 0) {
      display.info(
        `${others === 1 ? '1 other buyer matches' : `${others} other buyers match`} ${quote(text)}: ${search.command(`buyers list --search ${shellQuote(text)}`)}`,
      );
    }
  } finally {
    await display.progress.stop();
  }
}

/** A command of payctl that asks the same service for the same merchant account. */
function commandLine(words: string, { profile, merchantAccount }: Settings): string {
  const flags = [
    ...(profile.source.kind === 'flag' ? [`--profile ${shellQuote(profile.value?.name ?? '')}`] : []),
    ...(merchantAccount.source.kind === 'flag' ? [`-m ${shellQuote(merchantAccount.value ?? '')}`] : []),
  ];
  return ['payctl', words, ...flags].join(' ');
}

function notFound(text: string, lookedAt: number | undefined): NotFoundError {
  const looked = lookedAt === undefined ? '' : `; payctl searched ${plural(lookedAt, 'buyer')}`;
  return new NotFoundError(
    `No buyer matches ${quote(text)}${looked}`,
    'The service searches names and external identifiers, not e-mail addresses, in one merchant account.',
  );
}

const MOST_IDS = 5;

function severalMatch(text: string, { buyers, hasMore }: FoundBuyers & { kind: 'several' }): OutputError {
  const count = hasMore ? `More than ${buyers.length}` : String(buyers.length);
  const ids = buyers.slice(0, MOST_IDS).map(({ item }) => String(idOf(item)));
  const more = buyers.length > MOST_IDS || hasMore ? ', ...' : '';
  return new OutputError('several_match', `${count} buyers match ${quote(text)}`, {
    hint: `Use the ID of one of them: ${ids.join(', ')}${more}`,
  });
}
