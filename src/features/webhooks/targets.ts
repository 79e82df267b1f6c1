import { openNetwork } from '../../cli/session/network.ts';
import type { RunParts } from '../../cli/show/display.ts';
import type { NetworkOptions } from '../../client/network/options.ts';
import { UsageError } from '../../errors.ts';
import { quote } from '../../text/format.ts';
import { openSender, type Sender } from '../../webhooks/sender.ts';

/** Where events are forwarded to. */
export type Target = {
  /** A pattern for the types of events; all of them where there is none. */
  readonly pattern: string | undefined;
  readonly url: string;
};

/** Reads `URL` or `GLOB=URL`, as `flag` was given. @throws UsageError `invalid_target` */
export function parseTarget(text: string, flag: string): Target {
  const [, pattern, rest] = /^([^=:/]+)=(.*)$/s.exec(text) ?? [];
  return { pattern, url: parseTargetUrl(rest ?? text, flag) };
}

/** Reads the URL of a receiver. @throws UsageError `invalid_target` */
export function parseTargetUrl(text: string, flag: string): string {
  const url = URL.parse(text);
  if (url && (url.username !== '' || url.password !== '')) {
    throw new UsageError('invalid_target', `The URL of ${flag} contains a user name or a password`, {
      hint: 'Remove it: arguments are visible to every process of this machine.',
    });
  }
  // What a URL parser would repair silently is refused.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
  const isExact = /^https?:\/\/[^\s\\\0-\x1f\x7f]+$/i.test(text);
  if (url && isExact && url.hash === '') {
    if (url.port !== '0') return url.href;
    throw new UsageError('invalid_target', `${flag} is ${quote(text)}, whose port is 0`, {
      hint: 'Use the port that the receiver listens on.',
    });
  }
  throw new UsageError('invalid_target', `${flag} is ${quote(text)}, which is not an http or https URL`, {
    hint: `For example: ${flag} http://localhost:3000/hooks`,
  });
}

/** Opens a sender to these URLs, by the proxies and certificates of the settings. @throws as `openNetwork` */
export async function openTargetSender(urls: readonly string[], parts: RunParts): Promise<Sender> {
  const networks = new Map<string, NetworkOptions>();
  for (const { origin } of urls.map((url) => new URL(url))) {
    if (!networks.has(origin)) networks.set(origin, await openNetwork(parts, origin));
  }
  return openSender(({ origin }) => networks.get(origin) ?? {});
}
