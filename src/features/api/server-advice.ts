import { resolveBaseUrl } from '../../config/base-url.ts';
import { profileOrigin } from '../../config/origin.ts';
import { nameOfSource, type Settings } from '../../config/settings.ts';
import { plural } from '../../text/format.ts';
import { setVariables, shellQuote } from '../../text/shell.ts';

/** The servers for which a command is printed; more of them are only counted. */
const MOST_SERVERS = 3;

/**
 * What to know about the servers that a description names, one line each: the commands that make them the address of the profile,
 * unless it leads to one of them. payctl never takes an address from a description by itself.
 */
export function serverAdvice(servers: readonly string[], settings: Settings): readonly string[] {
  const { profile, baseUrl } = settings;
  const { name, credentials } = profile.value ?? {};
  if (name === 'emulator') return [];
  const usable = servers.filter((server) => addressOf(server) !== undefined);
  const own = addressOf(baseUrl.value, settings.instance.value);
  if (
    baseUrl.value !== undefined &&
    usable.some((server) => addressOf(server, settings.instance.value) === own)
  ) {
    return [];
  }
  const shown = usable.slice(0, MOST_SERVERS);
  const more = usable.length - shown.length;
  const lines = [
    ...shown.map((server) => `To send requests to ${server}: ${commandFor(server, name)}`),
    ...(more > 0 ? [`The description names ${plural(more, 'further server')}.`] : []),
  ];
  if (baseUrl.value === undefined) {
    return lines.length > 0
      ? ['No base URL is configured. payctl does not take one from a description.', ...lines]
      : [
          `No base URL is configured, and the description names no server. To set it: ${commandFor('URL', name)}`,
        ];
  }
  if (lines.length === 0) return [];
  const moves = shown.some(
    (server) => profileOrigin({ baseUrl: server }) !== profileOrigin({ baseUrl: baseUrl.value }),
  );
  const isOwn = baseUrl.source.kind === 'profile';
  return [
    `Requests go to ${baseUrl.value} (${nameOfSource(baseUrl.source)}), which the description does not name.`,
    ...lines,
    ...(credentials && isOwn && moves ? [`A new address logs the profile ${name} out.`] : []),
  ];
}

/** Without a profile there is nothing to set but the variable. */
function commandFor(server: string, profile: string | undefined): string {
  const instance = server.includes('{id}') ? ' --instance ID' : '';
  if (profile !== undefined)
    return `payctl profiles set ${profile} --base-url ${shellQuote(server)}${instance}`;
  return setVariables({ PAYCTL_BASE_URL: server, ...(instance && { PAYCTL_INSTANCE: 'ID' }) });
}

/** Any instance, to compare addresses that lack one. */
const ANY = 'any';

/** What requests are sent to; undefined for what cannot be a base URL, such as a path or plain http to another machine. */
function addressOf(server: string | undefined, instance = ANY): string | undefined {
  try {
    return server === undefined ? undefined : resolveBaseUrl(server, instance);
  } catch {
    return undefined;
  }
}
