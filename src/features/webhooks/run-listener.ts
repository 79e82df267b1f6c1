import { readSize } from '../../cli/flags/size.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { Session } from '../../cli/session/session.ts';
import { isLoopback } from '../../config/base-url.ts';
import { UsageError } from '../../errors.ts';
import { sqliteCode } from '../../files/kernel-lock.ts';
import { decodeUtf8 } from '../../files/read-file.ts';
import { whenAborted } from '../../signals.ts';
import { plural, quote } from '../../text/format.ts';
import { eventDirectory } from './event-flags.ts';
import { EventLines } from './event-lines.ts';
import type { ListenFlagValues } from './listen-flags.ts';
import { type Listener, OTHER_BODY, startListener } from './listener.ts';
import { resolveScheme, SECRET_SOURCES } from './scheme-flags.ts';
import { StoreFull } from './store.ts';
import { openTargetSender, parseTarget } from './targets.ts';

const KEEP_MS = 7 * 24 * 3_600_000;
const KEEP_SIZE = '1GB';

/** With less, a single event might not have room. */
const LEAST_SIZE = '10MB';

/** Listens until the run is stopped. @throws UsageError for flags that cannot be used; as `startListener` */
export async function runListener(
  flags: ListenFlagValues,
  { session, runtime }: { readonly session: Session; readonly runtime: Runtime },
): Promise<void> {
  const { display, settings, signal } = session;
  const targets = (flags.forward ?? []).map((text) => parseTarget(text, '--forward'));
  const urls = [...new Set(targets.map(({ url }) => url))];
  const path = readPath(flags.path ?? '/webhooks');
  const host = flags.host ?? '127.0.0.1';
  const keepSize = flags['keep-size'] ?? KEEP_SIZE;
  const keepBytes = readSize(keepSize, '--keep-size', LEAST_SIZE);
  const lines = await EventLines.open(display, flags, urls.length);
  const scheme = await resolveScheme(flags, { session, runtime });
  if (scheme.secrets.length === 0 && !isLoopbackHost(host)) throw needsSecret(host);
  const sender = await openTargetSender(urls, { settings, display, runtime });
  let listener: Listener | undefined;
  let hasProblem = false;
  let hasDeleted = false;
  let received = 0;
  let delivered = 0;
  const bodyOf = (row: number) => {
    const body = lines.hasBodies ? listener?.store.content(row)?.body : undefined;
    return body && decodeUtf8(body);
  };
  try {
    listener = await startListener({
      ...{ directory: eventDirectory(flags, runtime.environment), host, port: flags.port ?? 4100, path },
      ...{ scheme, targets, events: flags.events, keepMs: flags.keep ?? KEEP_MS, keepBytes, sender },
      forwardsUnverified: flags['forward-unverified'] === true,
      onEvent(event, { forwards, hasOtherBody }) {
        hasProblem = false;
        if (hasOtherBody) return lines.notKept(event, OTHER_BODY);
        received += 1;
        const waiting = forwards.filter(({ isWaiting }) => isWaiting);
        if (forwards.length === 0) lines.received(event, bodyOf(event.row));
        for (const { url } of waiting) lines.received(event, bodyOf(event.row), url);
      },
      onAttempt(event, attempted) {
        if (attempted.state === 'delivered') delivered += 1;
        lines.attempted(event, attempted, attempted.attempt === 1 ? bodyOf(event.row) : undefined);
      },
      onDeleted() {
        if (!hasDeleted) display.warn('events_deleted', deletedText(keepSize));
        hasDeleted = true;
      },
      onProblem(error) {
        // A full disk fails each request; one line says so.
        if (!hasProblem) display.warn('event_not_stored', problemText(error, keepSize));
        hasProblem = true;
      },
    });
    await lines.begin(listener.url);
    printListening(session, listener, { urls, isChecked: scheme.secrets.length > 0 });
    await whenAborted(signal);
  } finally {
    await listener?.close();
    await sender.close();
  }
  await lines.end();
  // An event has a delivery for each URL.
  const deliveries =
    urls.length > 0 ? ` ${delivered} ${delivered === 1 ? 'delivery' : 'deliveries'} succeeded.` : '';
  display.info(`${plural(received, 'event')} received.${deliveries}`);
}

function printListening(
  { display }: Session,
  { store, url }: Listener,
  { urls, isChecked }: { readonly urls: readonly string[]; readonly isChecked: boolean },
): void {
  display.info(
    `Listening at ${url}. Use this URL in a subscription. If the service cannot reach this machine, use the URL of your tunnel instead.`,
  );
  if (!isChecked) {
    display.warn(
      'signatures_unchecked',
      `Signatures are not checked, because no secret is known: anybody who can reach this URL can send events. Use ${SECRET_SOURCES}`,
    );
  }
  const pending = [...store.pending()];
  const own = pending.filter(([to]) => urls.includes(to)).reduce((sum, [, count]) => sum + count, 0);
  if (own > 0) display.info(`${plural(own, 'event')} of earlier runs will be forwarded now.`);
  for (const [to, count] of pending.filter(([to]) => !urls.includes(to))) {
    display.info(
      `${plural(count, 'event')} of earlier runs will wait: they are for ${to}, which this run does not forward to.`,
    );
  }
}

const FULL = 13;

function deletedText(keepSize: string): string {
  return `The stored events take ${keepSize} (--keep-size): from now on, the oldest that need not be forwarded any more are deleted for new ones.`;
}

function problemText(error: unknown, keepSize: string): string {
  if (error instanceof StoreFull)
    return `The stored events take ${keepSize} (--keep-size), and all of them are still to be forwarded or were given up: new ones are refused with 503, and the service sends them again. To see them: payctl webhooks list --failed`;
  if (sqliteCode(error) === FULL)
    return 'The disk is full: events are refused with 503 until there is room, and the service sends them again.';
  const reason = error instanceof Error ? error.message : String(error);
  return `An event or its forward could not be recorded (${reason}). It is refused with 503, or forwarded again later.`;
}

/** @throws UsageError `invalid_path` */
function readPath(text: string): string {
  if (/^\/[\w.~!$&'()*+,;=:@%/-]*$/.test(text)) return text;
  throw new UsageError('invalid_path', `--path is ${quote(text)}, which is not the path of a URL`, {
    hint: 'It begins with a slash and has no query, such as /webhooks.',
  });
}

function isLoopbackHost(host: string): boolean {
  return isLoopback(`http://${host.includes(':') ? `[${host}]` : host}`);
}

function needsSecret(host: string): UsageError {
  return new UsageError(
    'no_secret',
    `--host ${host} can be reached by others, so signatures must be checked`,
    {
      hint: `Give the secret of the subscription with ${SECRET_SOURCES}, or leave out --host.`,
    },
  );
}
