import { BaseCommand } from '../../cli/base-command.ts';
import { EXIT } from '../../cli/failure/exit-code.ts';
import { optionalArgument } from '../../cli/flags/arguments.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { FlagError, textFlag } from '../../cli/flags/types.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import type { Environment } from '../../config/environment.ts';
import { UsageError } from '../../errors.ts';
import {
  type DirectoryValue,
  directoryFlag,
  eventDirectory,
  findEvent,
} from '../../features/webhooks/event-flags.ts';
import { type Headers, parseHeaders } from '../../features/webhooks/header-file.ts';
import { resolveScheme, SECRET_SOURCES, schemeFlags } from '../../features/webhooks/scheme-flags.ts';
import { EventStore } from '../../features/webhooks/store.ts';
import { verifyDelivery } from '../../features/webhooks/verify.ts';
import { gatherBytes } from '../../files/read-file.ts';
import { readInputFile, unreadableInput } from '../../files/read-input.ts';
import { sanitizeText } from '../../output/sanitize.ts';
import { commandInShell, inShell } from '../../text/shell.ts';
import type { Checked, Scheme } from '../../webhooks/signature.ts';

/** The largest body, and the largest file of headers, in bytes. */
const LARGEST = 1024 * 1024;

export default class WebhooksVerify extends BaseCommand {
  static override readonly summary = 'Check the signature of a delivery.';

  static override readonly description =
    `With an ID, checks what payctl webhooks listen has stored, as of when it was received; without a secret, says what the listener found. Otherwise reads the body from standard input,
byte for byte. The headers come from a file (as curl prints them, or JSON); or give the two that matter as flags. Says why a signature is not correct, and recognises common mistakes. The exit code is 0 if it is correct, else 1.`;

  static override readonly args = {
    id: optionalArgument('Delivery ID of a received webhook, or its beginning.'),
  };

  static override readonly flags = {
    signature: textFlag({ summary: 'Value of the header with the signature.', helpValue: 'HEX' }),
    timestamp: textFlag({
      summary: 'Value of the header with the timestamp, in seconds.',
      helpValue: 'SECONDS',
    }),
    headers: textFlag({
      summary: 'File with the headers: lines, or JSON.',
      helpValue: 'FILE',
      exclusive: ['signature', 'timestamp'],
    }),
    ...schemeFlags(),
    ...directoryFlag(),
    ...recordFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Check an event that was received:',
      command: 'payctl webhooks verify 0d1f3a52-6f0e-4d55-9a3b-2b7a0c1d4e5f --secret @secret.txt',
    },
    {
      description: 'Check a body and the headers that came with it:',
      command: 'payctl webhooks verify --secret @secret.txt --headers headers.txt < body.json',
    },
  ];

  async run(): Promise<number> {
    const { args, flags } = await this.parse(WebhooksVerify);
    if (args.id !== undefined) requireNoHeaders(flags);
    const session = this.openSession(flags);
    const { display } = session;
    const print = await recordPrinter(display, flags);
    const { runtime } = this;
    const scheme = await resolveScheme(flags, { session, runtime });
    const stored = args.id === undefined ? undefined : storedDelivery(args.id, flags, runtime.environment);
    const isKnown = scheme.secrets.length === 0 && stored && stored.checked.verdict !== 'unchecked';
    if (isKnown)
      display.info(inShell('This is what the listener found. To check it again, add --secret @FILE'));
    const { verdict, reason } = isKnown ? stored.checked : await this.#check(flags, scheme, stored);
    if (display.format.isForPeople && !flags.jq && !flags.columns) {
      await display.stdout.write(`${verdict}: ${sanitizeText(reason)}\n`);
    } else {
      await print({ verdict, reason });
    }
    return verdict === 'ok' ? EXIT.done : EXIT.failure;
  }

  /** @throws UsageError `no_secret` */
  async #check(flags: HeaderFlagValues, scheme: Scheme, stored?: Delivery): Promise<Checked> {
    if (scheme.secrets.length === 0) {
      throw new UsageError('no_secret', 'webhooks verify needs a secret', { hint: `Use ${SECRET_SOURCES}` });
    }
    const { headers, body, nowMs } = stored ?? {
      headers: await this.#readHeaders(flags, scheme),
      body: await this.#readBody(),
      nowMs: Date.now(),
    };
    return verifyDelivery(body, headers, { ...scheme, nowMs });
  }

  async #readHeaders(
    { headers: path, signature, timestamp }: HeaderFlagValues,
    { names }: Scheme,
  ): Promise<Headers> {
    if (path !== undefined) {
      try {
        const { text } = await readInputFile(path, { limit: LARGEST, signal: this.runtime.signal });
        return parseHeaders(text, '--headers');
      } catch (error) {
        throw unreadableInput(
          `--headers cannot read the file ${path}`,
          error,
          'Check the path and your permission to read the file.',
        );
      }
    }
    if (signature !== undefined && timestamp !== undefined) {
      return { [names.signature]: signature, [names.timestamp]: timestamp };
    }
    const missing =
      signature === undefined ? (timestamp === undefined ? undefined : '--signature') : '--timestamp';
    throw new FlagError(
      missing === undefined ? 'webhooks verify needs the headers of the delivery' : `${missing} is missing`,
      'Use --headers FILE, or --signature HEX and --timestamp SECONDS.',
    );
  }

  async #readBody(): Promise<Uint8Array> {
    if (await this.runtime.prompter()) {
      throw new UsageError(
        'no_body',
        'webhooks verify reads the body from standard input, which is a terminal',
        {
          hint: `Redirect it from a file: ${commandInShell('payctl webhooks verify ... < body.json')}`,
        },
      );
    }
    const gathered = gatherBytes(LARGEST);
    try {
      for await (const piece of this.runtime.streamStdin()) gathered.add(piece);
    } catch (error) {
      throw unreadableInput('The body cannot be read from standard input', error);
    }
    return gathered.bytes();
  }
}

type HeaderFlagValues = Readonly<Record<'headers' | 'signature' | 'timestamp', string | undefined>>;

/** @throws FlagError for headers together with an ID */
function requireNoHeaders({ headers, signature, timestamp }: HeaderFlagValues): void {
  if (headers === undefined && signature === undefined && timestamp === undefined) return;
  throw new FlagError(
    'An ID cannot be used together with --headers, --signature or --timestamp',
    `To check another body, read it from standard input: ${commandInShell('payctl webhooks verify --secret @secret --headers headers.txt < body.json')}`,
  );
}

type Delivery = { readonly headers: Headers; readonly body: Uint8Array; readonly nowMs: number };

/** What was received under an ID, when, and what the listener found. @throws as `findEvent` */
function storedDelivery(
  id: string,
  flags: DirectoryValue,
  environment: Environment,
): Delivery & { readonly checked: Checked } {
  const store = EventStore.openExisting(eventDirectory(flags, environment));
  try {
    const { row, receivedMs, verdict, reason } = findEvent(store, id, flags);
    const { headers, body } = store?.content(row) ?? { headers: {}, body: new Uint8Array() };
    return { headers, body, nowMs: receivedMs, checked: { verdict, reason } };
  } finally {
    store?.close();
  }
}
