import { randomUUID } from 'node:crypto';
import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { EXIT } from '../../cli/failure/exit-code.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { FlagError, repeatable, textFlag } from '../../cli/flags/types.ts';
import { misspeltMembers, warnOfMembers } from '../../cli/read-body.ts';
import { userAgentOf } from '../../cli/runtime.ts';
import { descriptionInUse } from '../../cli/session/description-in-use.ts';
import type { Session } from '../../cli/session/session.ts';
import type { Display } from '../../cli/show/display.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { UsageError } from '../../errors.ts';
import { withFields } from '../../features/api/fields.ts';
import { eventKinds } from '../../features/webhooks/event-kinds.ts';
import { withPaymentAmounts } from '../../features/webhooks/payment-amounts.ts';
import { eventSchema, parseEventType, sampleEvent } from '../../features/webhooks/sample-event.ts';
import { resolveScheme, SECRET_SOURCES, secretFlags } from '../../features/webhooks/scheme-flags.ts';
import { openTargetSender, parseTargetUrl } from '../../features/webhooks/targets.ts';
import { copyForValidation, parseShownJson, stringifyExactJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { segmentsOf } from '../../json/pointer.ts';
import { prettyJson } from '../../json/pretty.ts';
import { escapeJsonText, sanitizeText } from '../../output/sanitize.ts';
import { checkBody } from '../../schemas/check-body.ts';
import type { UnknownMember } from '../../schemas/unknown-members.ts';
import { undescribedMembers } from '../../schemas/unknown-members.ts';
import { quote } from '../../text/format.ts';
import { isDelivered, type Outcome, type Posting } from '../../webhooks/sender.ts';
import { deliveryHeaders } from '../../webhooks/signature.ts';

export default class WebhooksTrigger extends BaseCommand {
  static override readonly summary = 'Send a made-up event to your program.';

  static override readonly description =
    `The event has a record that satisfies the API description, and every field can be set. The record is invented: the API does not
have it. Exit codes: 0 delivered, 6 refused, 9 no response.`;

  static override readonly args = {
    event: argument('Type of the event: RECORD.EVENT, such as buyer.updated.'),
  };

  static override readonly flags = {
    to: textFlag({ required: true, summary: 'Send to this URL.', helpValue: 'URL' }),
    field: textFlag({
      char: 'F',
      ...repeatable,
      summary: 'Set a field of the event by its path; PATH:=JSON sets any JSON. Repeatable.',
      helpValue: 'PATH=VALUE',
    }),
    'delivery-id': textFlag({
      summary: 'Delivery ID, to send the same delivery twice. Default: a new UUID.',
      helpValue: 'ID',
    }),
    'dry-run': boolean({ summary: 'Print the request without sending it.' }),
    ...secretFlags(),
    ...recordFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Send an event that is signed with the secret of a file:',
      command:
        'payctl webhooks trigger buyer.updated --to http://localhost:3000/hooks --secret @webhook.secret',
    },
    {
      description: 'Print an event with a name of your own:',
      command:
        'payctl webhooks trigger buyer.created --to http://localhost:3000/hooks -F target.display_name=Ada --dry-run',
    },
  ];

  async run(): Promise<number> {
    const { args, flags } = await this.parse(WebhooksTrigger);
    const { runtime } = this;
    const url = parseTargetUrl(flags.to, '--to');
    // Statuses have underscores where events have hyphens.
    const name = args.event.replaceAll('_', '-');
    const deliveryId = readDeliveryId(flags['delivery-id']);
    // What is not sent is the event; the secret of a subscription may have to be read.
    const session = this.openSession({ ...flags, 'dry-run': false });
    const { display, settings, signal } = session;
    const print = await recordPrinter(display, flags);
    const body = Buffer.from(stringifyExactJson(await this.#makeEvent(name, flags, session)));
    const scheme = await resolveScheme(flags, { session, runtime });
    if (scheme.secrets.length === 0) {
      display.info(
        `The event has no signature, because there is no secret. To sign it, use ${SECRET_SOURCES}`,
      );
    }
    const headers = {
      'user-agent': userAgentOf(runtime),
      ...deliveryHeaders(body, { ...scheme, deliveryId, event: name, nowMs: Date.now() }),
    };
    const posting = { url, headers, body };
    const isPlain = display.format.isForPeople === true && !flags.jq && !flags.columns;
    if (flags['dry-run']) {
      if (isPlain) await printRequest(posting, display);
      else await print(requestRecord(posting));
      return EXIT.done;
    }
    const sender = await openTargetSender([url], { settings, display, runtime });
    try {
      const outcome = await sender.post(posting, signal);
      if (isPlain) await display.stdout.write(`${inWords(outcome)}\n`);
      else await print({ request: requestRecord(posting), outcome: outcomeRecord(outcome) });
      if (isDelivered(outcome)) return EXIT.done;
      return outcome.status === undefined ? EXIT.noResponse : EXIT.refused;
    } finally {
      await sender.close();
    }
  }

  async #makeEvent(
    typed: string,
    flags: { readonly field?: readonly string[] | undefined; readonly profile?: string | undefined },
    { display, settings }: Pick<Session, 'display' | 'settings'>,
  ): Promise<unknown> {
    const kinds = await eventKinds(await descriptionInUse(this.describedBy(flags)));
    const type = parseEventType(typed, kinds);
    const merchantAccount = settings.merchantAccount.value ?? 'default';
    const sample = sampleEvent(type, { merchantAccount, now: new Date() });
    const record = type.kind.schema();
    const schema = eventSchema(record);
    const given = await withFields(sample, flags.field ?? [], {
      schema,
      runtime: this.runtime,
      mayBeReadOnly: true,
      record: 'target',
    });
    const made = undescribedMembers(schema, sample).map(({ pointer }) => pointer);
    const unknown = undescribedMembers(schema, given).filter(({ pointer }) => !made.includes(pointer));
    refuseMisspelt(unknown);
    warnOfMembers(unknown, {
      warn: display.warn,
      part: { name: 'The event', pointer: '' },
      source: 'its schema',
    });
    const facts = { schema: record, past: type.past, before: sample.target };
    const event =
      isObject(given) && isObject(given.target)
        ? { ...given, target: withPaymentAmounts(given.target, facts) }
        : given;
    const target = isObject(event) ? event.target : undefined;
    const problems =
      target === undefined ? [] : (checkBody(record, copyForValidation(target))?.problems ?? []);
    for (const { pointer, message } of problems.slice(0, MOST_WARNINGS)) {
      const path = ['target', ...segmentsOf(pointer)].join('.');
      display.warn('unlike_schema', `${path} ${message}; sent anyway.`, { pointer });
    }
    return event;
  }
}

const MOST_WARNINGS = 5;

/** What is almost a field of the event is misspelt: the program would be tried with another record than was meant. */
function refuseMisspelt(members: readonly UnknownMember[]): void {
  const [first] = misspeltMembers(members, 'the schema of the event');
  if (!first) return;
  throw new UsageError('bad_field', `The field ${first.pointer} ${first.message}`, {
    hint: 'Nothing was sent.',
  });
}

/** @throws FlagError for what no header can have */
function readDeliveryId(given: string = randomUUID()): string {
  if (/^[!-~]{1,200}$/.test(given)) return given;
  throw new FlagError(
    `--delivery-id must be 1 to 200 printable ASCII characters without blanks, not ${quote(given)}`,
  );
}

function inWords({ status, problem, milliseconds, location }: Outcome): string {
  if (status === undefined) return `no response: ${sanitizeText(problem ?? '')}`;
  const said = `${status} in ${milliseconds} ms`;
  if (status >= 200 && status < 300) return `delivered: ${said}`;
  return location === undefined
    ? `refused: ${said}`
    : `refused: ${said}; redirects are not followed: ${sanitizeText(location)}`;
}

function outcomeRecord({ status, problem, milliseconds, location }: Outcome) {
  return { status: status ?? null, problem: problem ?? null, location: location ?? null, milliseconds };
}

function requestRecord({ url, headers, body }: Posting) {
  return { method: 'POST', url, headers, body: parseShownJson(Buffer.from(body).toString()) };
}

async function printRequest({ url, headers, body }: Posting, { stdout }: Display): Promise<void> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${sanitizeText(value)}\n`);
  await stdout.write(`POST ${url}\n${lines.join('')}\n`);
  await stdout.write(`${prettyJson(escapeJsonText(Buffer.from(body).toString()))}\n`);
}
