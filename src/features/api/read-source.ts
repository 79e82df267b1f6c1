import { basename } from 'node:path';
import { openNetwork } from '../../cli/session/network.ts';
import type { RunParts } from '../../cli/show/display.ts';
import { toTypedError } from '../../client/connection-error.ts';
import { startDeadline } from '../../client/deadline.ts';
import { createTransport, type TransportResponse } from '../../client/transport.ts';
import { isLoopback } from '../../config/base-url.ts';
import { readDescriptionFile } from '../../descriptions/file-import.ts';
import { AbortedError, type PayctlError, UsageError } from '../../errors.ts';
import { LIMITS } from '../../files/read-file.ts';
import { unreadableInput } from '../../files/read-input.ts';
import { quote } from '../../text/format.ts';

/** The text of a description, and what messages call it. */
export type DescriptionSource = { readonly text: string; readonly name: string };

/**
 * Reads a description from a file, from standard input (`-`) or from a URL. Only an address that is typed here is asked, once
 * and without a token; a redirect is not followed.
 * @throws UsageError `unreadable_file`, `insecure_url`, `description_not_found`; ConnectionError; AbortedError
 */
export async function readSource(source: string, parts: RunParts): Promise<DescriptionSource> {
  const { runtime } = parts;
  if (source === '-') {
    try {
      return { text: await runtime.readStdin(LIMITS.description), name: 'standard input' };
    } catch (error) {
      throw unreadableInput('The description cannot be read from standard input', error);
    }
  }
  if (/^https?:\/\//i.test(source)) return await fetchDescription(source, parts);
  const text = await readDescriptionFile(source, { name: 'payctl', signal: runtime.signal });
  return { text, name: basename(source) };
}

async function fetchDescription(source: string, parts: RunParts): Promise<DescriptionSource> {
  const url = checkedUrl(source);
  const response = await get(url, parts);
  if (response.status !== 200) throw notFound(url, response);
  if (!response.isUtf8) {
    throw new UsageError('invalid_description', `${url.origin}${url.pathname} is not valid UTF-8`);
  }
  return { text: response.text.replace(/^\uFEFF/, ''), name: basename(url.pathname) || url.host };
}

/** What precedes an `@` in an address is a secret, and is never shown. */
function checkedUrl(source: string): URL {
  const url = URL.parse(source);
  if (!url) throw new UsageError('invalid_url', 'The URL of the description cannot be read');
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('invalid_url', 'The URL of the description contains credentials', {
      hint: 'Download the file with another program, and import the file.',
    });
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new UsageError(
      'insecure_url',
      `${quote(url.origin)} is not encrypted: somebody could change the description on its way`,
      {
        hint: 'Use https. Plain http is accepted only for 127.0.0.1, [::1] and localhost.',
      },
    );
  }
  return url;
}

async function get(url: URL, parts: RunParts): Promise<TransportResponse> {
  const { settings, runtime } = parts;
  const network = await openNetwork(parts, url.href);
  const timeoutMs = settings.timeoutMilliseconds.value;
  const transport = createTransport(url.origin, timeoutMs, network);
  const limit = startDeadline(timeoutMs, runtime.signal);
  const path = url.pathname + url.search;
  try {
    const headers = {
      accept: 'application/json, application/yaml, */*',
      'user-agent': `payctl/${runtime.version}`,
    };
    const largestBody = LIMITS.description;
    return await transport.send({ method: 'GET', path, headers, signal: limit.signal, largestBody });
  } catch (error) {
    if (runtime.signal.aborted) throw new AbortedError();
    throw toTypedError(error, {
      summary: { method: 'GET', path: url.pathname, origin: url.origin },
      attempt: 1,
      timedOutAfter: limit.expired() ? timeoutMs : undefined,
      withoutProxy: network.withoutProxy,
    });
  } finally {
    limit.clear();
    await transport.close();
  }
}

function notFound(url: URL, { status, headers }: TransportResponse): PayctlError {
  const isElsewhere = status >= 300 && status < 400 && headers.location !== undefined;
  const hint = isElsewhere
    ? `It has moved, and payctl does not follow redirects here: ${quote(headers.location ?? '')}`
    : 'payctl sends no token here. Download the description with another program, and import the file.';
  const message = `${url.origin}${url.pathname} responded with the status ${status} instead of a description`;
  return new UsageError('description_not_found', message, { hint });
}
