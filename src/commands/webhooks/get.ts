import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { outputFlags } from '../../cli/flags/list.ts';
import { DataMasker } from '../../cli/secrets/mask.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { MASK } from '../../contract/secret-names.ts';
import { directoryFlag, eventDirectory, findEvent } from '../../features/webhooks/event-flags.ts';
import { eventRecord, forwardRecord } from '../../features/webhooks/records.ts';
import { EventStore } from '../../features/webhooks/store.ts';
import { decodeUtf8 } from '../../files/read-file.ts';
import { parseExactJson } from '../../json/exact.ts';
import { sanitizeLines } from '../../output/sanitize.ts';
import { attemptRecord } from '../../webhooks/attempts.ts';

/** Headers that identify their sender to a receiver, or that a tunnel adds to do so. */
const CREDENTIALS = /authorization|cookie|token|api-?key|secret|password/;

export default class WebhooksGet extends BaseCommand {
  static override readonly summary = 'Show a received webhook, its headers and each attempt to forward it.';

  static override readonly description =
    `The ID is that of the delivery, or its beginning. Personal data and secrets are masked, and so are the headers authorization and
cookie. --raw writes the bytes of the body as they were received, unmasked, for payctl webhooks verify.`;

  static override readonly args = {
    id: argument('Delivery ID.'),
  };

  static override readonly flags = {
    raw: boolean({ summary: 'Write only the body, byte for byte.' }),
    ...directoryFlag(),
    ...outputFlags({ personalData: {} }),
  };

  static override readonly examples = [
    {
      description: 'Show everything about an event:',
      command: 'payctl webhooks get 0d1f3a52-6f0e-4d55-9a3b-2b7a0c1d4e5f',
    },
    {
      description: 'Save its body as it was signed:',
      command: 'payctl webhooks get 0d1f3a52-6f0e-4d55-9a3b-2b7a0c1d4e5f --raw > body.json',
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksGet);
    const display = this.openDisplay(flags);
    const print = await recordPrinter(display, flags);
    const directory = eventDirectory(flags, this.runtime.environment);
    const store = EventStore.openExisting(directory);
    try {
      const event = findEvent(store, args.id, flags);
      const content = store?.content(event.row);
      if (!store || !content) return;
      if (flags.raw) {
        const { stdout } = display;
        if (stdout.isTerminal) await stdout.write(`${sanitizeLines(Buffer.from(content.body).toString())}\n`);
        else await stdout.writeBytes(content.body);
        return;
      }
      const { event: type, ...members } = eventRecord(event);
      const masker = new DataMasker(display, flags, { personalByName: true });
      const headers = Object.entries(content.headers).map(([name, value]) => {
        const isMasked = CREDENTIALS.test(name) && !flags['reveal-secrets'];
        return [name, isMasked ? MASK : value] as const;
      });
      await print({
        ...members,
        event: type,
        forwards: store.forwards(event.row).map((forward) => ({
          ...forwardRecord(forward),
          attempts: forward.attempts.map(attemptRecord),
        })),
        headers: Object.fromEntries(headers),
        body: parseExactJson(masker.mask(decodeUtf8(content.body)).text),
      });
      masker.report();
    } finally {
      store?.close();
    }
  }
}
