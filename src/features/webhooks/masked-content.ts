import type { RevealFlagValues } from '../../cli/flags/list.ts';
import { DataMasker } from '../../cli/secrets/mask.ts';
import type { Display } from '../../cli/show/display.ts';
import { MASK } from '../../contract/secret-names.ts';
import { decodeUtf8 } from '../../files/read-file.ts';
import { parseExactJson } from '../../json/exact.ts';
import type { EventContent } from './store.ts';

/** Headers that identify their sender to a receiver, or that a tunnel adds to do so. */
const CREDENTIALS = /authorization|cookie|token|api-?key|secret|password/;

/** The headers and the body of an event as they may be shown; `report` says once that something personal was masked. */
export function maskedContent(
  display: Pick<Display, 'warn'>,
  flags: RevealFlagValues,
  { headers, body }: EventContent,
) {
  const masker = new DataMasker(display, flags, { personalByName: true });
  const { text } = masker.mask(decodeUtf8(body));
  const shown = Object.entries(headers).map(([name, value]) => {
    const isMasked = CREDENTIALS.test(name) && !flags['reveal-secrets'];
    return [name, isMasked ? MASK : value] as const;
  });
  return { headers: Object.fromEntries(shown), body: parseExactJson(text), report: () => masker.report() };
}
