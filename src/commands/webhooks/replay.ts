import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { EXIT } from '../../cli/failure/exit-code.ts';
import { optionalArgument } from '../../cli/flags/arguments.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { FlagError, repeatable, textFlag } from '../../cli/flags/types.ts';
import type { Session } from '../../cli/session/session.ts';
import { writerOptions } from '../../cli/show/writer-options.ts';
import { isLoopback } from '../../config/base-url.ts';
import { UsageError } from '../../errors.ts';
import {
  directoryFlag,
  type EventFilterValues,
  eventDirectory,
  eventFilterFlags,
  eventFilterOf,
  findEvent,
} from '../../features/webhooks/event-flags.ts';
import { isListening } from '../../features/webhooks/listener.ts';
import {
  planReplay,
  printLeftOut,
  REPLAY_COLUMNS,
  ReplayLines,
  type ReplayPlan,
  replayRecord,
  sendReplays,
} from '../../features/webhooks/replay.ts';
import { resolveScheme, SECRET_SOURCES, secretFlags } from '../../features/webhooks/scheme-flags.ts';
import { EventStore } from '../../features/webhooks/store.ts';
import { openTargetSender, parseTargetUrl } from '../../features/webhooks/targets.ts';
import { createListWriter } from '../../output/list-writer.ts';
import { plural, quote } from '../../text/format.ts';
import { isDelivered } from '../../webhooks/sender.ts';
import type { Scheme } from '../../webhooks/signature.ts';

export default class WebhooksReplay extends BaseCommand {
  static override readonly summary = 'Send received webhooks to your program again.';

  static override readonly description =
    `Sends the stored bytes under the same delivery ID, in the order in which they were received, one at a time for each record, and
signed again with the present time, so that a receiver that checks signatures accepts them. Without --to, each event goes to the
URLs to which it was forwarded; a URL of --to does not become one of them. Asks before it sends to another machine. Exit codes: 0 all were taken, 6 some were refused, 9 none was refused, but some got no response.`;

  static override readonly columns = REPLAY_COLUMNS;

  static override readonly strict = false;
  static override readonly args = {
    id: optionalArgument('Delivery IDs.'),
  };

  static override readonly flags = {
    to: textFlag({
      summary: 'Send to this URL. Repeatable. Default: the URLs to which each event was forwarded.',
      helpValue: 'URL',
      ...repeatable,
    }),
    'as-received': boolean({ summary: 'Send the signature that was received.' }),
    'forward-unverified': boolean({ summary: 'Also send events without a correct signature.' }),
    'dry-run': boolean({ summary: 'Show what would be sent, and send nothing.' }),
    yes: boolean({ char: 'y', summary: 'Do not ask before sending to other machines.' }),
    ...eventFilterFlags(),
    ...secretFlags(),
    ...directoryFlag(),
    ...recordFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Send everything that your program did not take:',
      command: 'payctl webhooks replay --failed --secret @webhook.secret',
    },
    {
      description: 'Show what would be sent of the last hour:',
      command: `payctl webhooks replay --since 1h --event 'transaction.*' --to http://localhost:3000/hooks --as-received --dry-run`,
    },
  ];

  async run(): Promise<number> {
    const { argv, flags } = await this.parse(WebhooksReplay);
    const ids = [...new Set(argv.map(String))];
    const filter = eventFilterOf(flags);
    requireChoice(ids, flags);
    const urls = flags.to?.map((text) => parseTargetUrl(text, '--to'));
    const session = this.openSession(flags);
    const { display } = session;
    const options = await writerOptions({ display }, flags, { columns: REPLAY_COLUMNS });
    const isSigned = !flags['as-received'];
    const parts = { session, runtime: this.runtime };
    const scheme = await resolveScheme({ ...flags, tolerance: undefined }, parts);
    if (isSigned && !flags['dry-run'] && scheme.secrets.length === 0) {
      throw new UsageError(
        'no_secret',
        'The secret that signs the events is missing: it is not stored with them',
        {
          hint: `Use ${SECRET_SOURCES}; or send them as they were received, with --as-received`,
        },
      );
    }
    const directory = eventDirectory(flags, this.runtime.environment);
    const store = EventStore.openExisting(directory);
    try {
      const events =
        ids.length > 0 ? ids.map((id) => findEvent(store, id, flags)) : (store?.list(filter) ?? []);
      const failed = flags.failed === true;
      const choice = { urls, failed, scheme, includesUnverified: flags['forward-unverified'] === true };
      const plan = store
        ? planReplay(store, events, choice)
        : { replays: [], unverified: [], withoutForward: [] };
      printLeftOut(display, plan);
      const writer = await createListWriter({ ...options, whole: true, asItComes: true });
      const lines = new ReplayLines(writer);
      if (!store || plan.replays.length === 0) {
        await lines.end();
        display.info('Nothing was sent: no event matches. To see what is stored: payctl webhooks list');
        return EXIT.done;
      }
      if (flags['dry-run']) {
        for (const { event, receivers } of plan.replays)
          for (const { url } of receivers) await lines.add(replayRecord(event, url, undefined));
        await lines.end();
        display.info('Nothing was sent.');
        return EXIT.done;
      }
      if (!flags.yes) await this.#confirm(plan);
      const signing = isSigned ? scheme : undefined;
      return await this.#send(plan, { session, directory, store, lines, signing });
    } finally {
      store?.close();
    }
  }

  async #confirm({ replays }: ReplayPlan): Promise<void> {
    const sends = replays.flatMap(({ receivers }) => receivers.map(({ url }) => url));
    const others = [...new Set(sends)].filter((url) => !isLoopback(url));
    if (others.length === 0) return;
    const where = others.map((url) => quote(url)).join(', ');
    const prompter = await this.runtime.prompter();
    if (!prompter) {
      throw new UsageError('not_confirmed', `Nothing was sent: not on this machine: ${where}`, {
        hint: 'To send it there without a question, add --yes',
      });
    }
    const question = `Send ${plural(replays.length, 'event')} again, to another machine: ${where}?`;
    if (!(await prompter.confirm(question))) throw new UsageError('not_confirmed', 'Nothing was sent');
  }

  /** Resolves to the exit code. */
  async #send(
    { replays }: ReplayPlan,
    { session, directory, store, lines, signing }: ReplayParts,
  ): Promise<number> {
    const { display, settings, signal } = session;
    const urls = replays.flatMap(({ receivers }) => receivers.map(({ url }) => url));
    const sender = await openTargetSender([...new Set(urls)], { settings, display, runtime: this.runtime });
    const counts = { delivered: 0, refused: 0, withoutResponse: 0 };
    try {
      await sendReplays(replays, {
        ...{ store, sender, signing, signal },
        isListening: () => isListening(directory),
        async onSent(event, url, outcome) {
          if (isDelivered(outcome)) counts.delivered += 1;
          else if (outcome.status === undefined) counts.withoutResponse += 1;
          else counts.refused += 1;
          await lines.add(replayRecord(event, url, outcome));
        },
      });
    } finally {
      await sender.close();
      await lines.end();
      const { delivered, refused, withoutResponse } = counts;
      const left = urls.length - delivered - refused - withoutResponse;
      const rest = left > 0 ? `, ${left} not sent` : '';
      display.info(
        `${delivered} delivered, ${refused} refused, ${withoutResponse} without a response${rest}.`,
      );
    }
    if (counts.refused > 0) return EXIT.refused;
    return counts.withoutResponse > 0 ? EXIT.noResponse : EXIT.done;
  }
}

type ReplayParts = {
  readonly session: Session;
  readonly directory: string;
  readonly store: EventStore;
  readonly lines: ReplayLines;
  readonly signing: Scheme | undefined;
};

/** @throws FlagError without a choice of events, or with two */
function requireChoice(
  ids: readonly string[],
  { since, until, event, record, verdict, failed }: EventFilterValues,
): void {
  const isFiltered =
    failed === true || [since, until, event, record, verdict].some((value) => value !== undefined);
  if (ids.length > 0 && isFiltered)
    throw new FlagError('Delivery IDs and filters cannot be used together', 'Remove one of them.');
  if (ids.length > 0 || isFiltered) return;
  throw new FlagError(
    'webhooks replay needs to know which events',
    'Give delivery IDs, or --failed, --since, --event or --record.',
  );
}
