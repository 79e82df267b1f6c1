import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { startListener } from '../../../src/features/webhooks/listener.ts';
import { openSender } from '../../../src/webhooks/sender.ts';
import { headerNames } from '../../../src/webhooks/signature.ts';
import { freePort } from '../../harness/free-port.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

it.each(['127.0.0.1', 'localhost', '0.0.0.0', '[::]', '[::ffff:127.0.0.1]', hostname()])(
  'refuses to forward to itself as %s',
  async (host) => {
    const port = await freePort();
    const listening = startListener({
      directory: folderForTest(),
      ...{
        host: '127.0.0.1',
        port,
        path: '/webhooks',
        keepMs: 1_000_000,
        keepBytes: 1e9,
        forwardsUnverified: false,
      },
      scheme: { names: headerNames('x-service-'), secrets: [], toleranceMs: 1_000 },
      targets: [{ pattern: undefined, url: new URL(`http://${host}:${port}/webhooks`).href }],
      sender: openSender(),
      onEvent: () => {},
      onAttempt: () => {},
      onDeleted: () => {},
      onProblem: () => {},
    });
    await expect(listening).rejects.toMatchObject({ code: 'forward_loop' });
  },
);
