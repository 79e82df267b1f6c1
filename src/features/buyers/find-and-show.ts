import { EXIT } from '../../cli/failure/exit-code.ts';
import type { OutputFlagValues } from '../../cli/flags/list.ts';
import type { Prompter } from '../../cli/prompt/prompter.ts';
import type { Session } from '../../cli/session/session.ts';
import type { Settings } from '../../config/settings.ts';
import type { Operation } from '../../contract/generated/operations.ts';
import { NotFoundError, OutputError, UsageError } from '../../errors.ts';
import { plural, quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { checkAccess } from '../../tokens/scopes.ts';
import { type BuyerSearch, type FoundBuyers, findBuyer, idOf } from './find-buyer.ts';
import { readSections } from './sections.ts';
import { buyerPrinter, showCandidates } from './show.ts';

type Request = {
  readonly text: string;
  readonly flags: OutputFlagValues;
  readonly members: Readonly<Record<string, Operation>>;
  /** Asks the person at the terminal; resolves to undefined where there is none. */
  readonly prompter: () => Promise<Prompter | undefined>;
};

/**
 * Finds a buyer and prints it with what belongs to it. If several match, a person chooses one, or none. Resolves to the exit code.
 * @throws NotFoundError; UsageError as `findBuyer`; OutputError `several_match` after a list of those that match
 */
export async function findAndShow(
  session: Session,
  { text, flags, members, prompter }: Request,
): Promise<number> {
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
    const chosen = found.kind === 'one' ? found : await choose(session, { text, found, prompter });
    if (!chosen) return EXIT.usage;
    const { buyer, others } = chosen;
    const sections = await readSections(search, String(idOf(buyer.item)), display);
    await display.progress.stop();
    await print(buyer, sections);
    for (const { note } of sections) if (note !== undefined) display.info(note);
    if (others > 0) {
      display.info(
        `${others === 1 ? '1 other buyer matches' : `${others} other buyers match`} ${quote(text)}: ${search.command(`buyers list --search ${shellQuote(text)}`)}`,
      );
    }
    return EXIT.done;
  } finally {
    await display.progress.stop();
  }
}

type Several = FoundBuyers & { readonly kind: 'several' };

/** Shows the buyers that match, and asks which one is meant; undefined for none. @throws OutputError `several_match` without anybody to ask */
async function choose(
  session: Session,
  { text, found, prompter }: Pick<Request, 'text' | 'prompter'> & { readonly found: Several },
) {
  const { display } = session;
  await display.progress.stop();
  const { buyers } = found;
  const asker =
    display.format.isForPeople && display.stdoutTerminal.isTerminal ? await prompter() : undefined;
  await showCandidates(session, buyers, { isNumbered: asker !== undefined });
  const indexOf = (answer: string) => (/^\d{1,3}$/.test(answer) ? Number(answer) - 1 : -1);
  const check = (answer: string) => {
    if (answer !== '' && !buyers[indexOf(answer)])
      throw new UsageError('invalid_choice', `Enter a number from 1 to ${buyers.length}`);
  };
  const count = found.hasMore ? `the first ${buyers.length}` : buyers.length;
  if (!asker) throw severalMatch(text, found, { areShown: display.format.isForPeople === true });
  const answer = await asker.ask(`Show one of ${count} by its number (Enter for none)`, { check });
  const buyer = buyers[indexOf(answer)];
  if (!buyer) return undefined;
  display.progress.start();
  return { buyer, others: 0 };
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
    'The service searches names and external identifiers, not e-mail addresses, in one merchant account. It may treat é and e as different letters, so type the accents.',
  );
}

const MOST_IDS = 5;

function severalMatch(
  text: string,
  { buyers, hasMore }: Several,
  { areShown }: { readonly areShown: boolean },
): OutputError {
  const count = hasMore ? `More than ${buyers.length}` : String(buyers.length);
  const message = `${count} buyers match ${quote(text)}`;
  if (areShown) return new OutputError('several_match', message, { hint: 'Use the ID of one of them.' });
  const ids = buyers.slice(0, MOST_IDS).map(({ item }) => String(idOf(item)));
  const more = buyers.length > MOST_IDS || hasMore ? ', ...' : '';
  return new OutputError('several_match', message, {
    hint: `Use the ID of one of them: ${ids.join(', ')}${more}`,
  });
}
