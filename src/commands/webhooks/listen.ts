import { BaseCommand } from '../../cli/base-command.ts';
import { EXIT } from '../../cli/failure/exit-code.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags } from '../../cli/flags/list.ts';
import { EVENT_COLUMNS } from '../../features/webhooks/columns.ts';
import { directoryFlag } from '../../features/webhooks/event-flags.ts';
import { listenFlags } from '../../features/webhooks/listen-flags.ts';
import { runListener } from '../../features/webhooks/run-listener.ts';
import { schemeFlags } from '../../features/webhooks/scheme-flags.ts';
import { receivedSignal, SIGNAL_EXIT_CODES } from '../../signals.ts';

export default class WebhooksListen extends BaseCommand {
  static override readonly summary = 'Receive webhooks on this machine, and forward them to your program.';

  static override readonly description =
    `Each event is stored before it is acknowledged, and forwarded until your program responds with 2xx: at least once, in order for
each record. Events with a wrong, missing or old signature are refused with 401 and not forwarded. The URL of the listener is printed
first; use your own tunnel to make it reachable from outside. Runs until it is stopped; what was not forwarded is forwarded by the
next run with the same --forward.`;

  static override readonly columns = EVENT_COLUMNS;

  static override readonly flags = {
    ...listenFlags(),
    ...schemeFlags(),
    ...directoryFlag('Keep'),
    ...outputFlags({ personalData: {} }),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Forward events to a program on this machine:',
      command: 'payctl webhooks listen --forward http://localhost:3000/hooks --secret @webhook.secret',
    },
    {
      description: 'Forward events by their type:',
      command: `payctl webhooks listen --forward 'transaction.*=http://localhost:3000/tx' --forward 'buyer.*=http://localhost:3001/b'`,
    },
    { description: 'Print events as lines of JSON:', command: 'payctl webhooks listen -o ndjson' },
  ];

  async run(): Promise<number> {
    const { flags } = await this.parse(WebhooksListen);
    const session = this.openSession(flags);
    await runListener(flags, { session, runtime: this.runtime });
    return receivedSignal(this.runtime.signal) === 'SIGHUP' ? SIGNAL_EXIT_CODES.SIGHUP : EXIT.done;
  }
}
