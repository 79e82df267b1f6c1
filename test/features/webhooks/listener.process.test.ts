import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startListener } from '../../../src/features/webhooks/listener.ts';
import { openSender } from '../../../src/webhooks/sender.ts';
import { headerNames } from '../../../src/webhooks/signature.ts';
import { freePort } from '../../harness/free-port.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

/** A listener that forwards to a URL. */
function listen(port: number, { url, directory = folderForTest() }: { url: string; directory?: string }) {
  return startListener({
    directory,
    ...{
      host: '127.0.0.1',
      port,
      path: '/webhooks',
      keepMs: 1_000_000,
      keepBytes: 1e9,
      forwardsUnverified: false,
    },
    scheme: { names: headerNames('x-service-'), secrets: [], toleranceMs: 1_000 },
    targets: [{ pattern: undefined, url }],
    sender: openSender(),
    onEvent: () => {},
    onAttempt: () => {},
    onDeleted: () => {},
    onProblem: () => {},
  });
}

it.each(['127.0.0.1', 'localhost', '0.0.0.0', '[::]', '[::ffff:127.0.0.1]', hostname()])(
  'refuses to forward to itself as %s',
  async (host) => {
    const port = await freePort();
    const listening = listen(port, { url: new URL(`http://${host}:${port}/webhooks`).href });
    await expect(listening).rejects.toMatchObject({ code: 'forward_loop' });
  },
);

it('names the file that it cannot write', async () => {
  const directory = folderForTest();
  mkdirSync(join(directory, `listening.json.${process.pid}.new`));
  const listening = listen(await freePort(), { url: 'http://127.0.0.1:9/', directory });
  await expect(listening).rejects.toMatchObject({
    code: 'event_store_unusable',
    message: `${join(directory, 'listening.json')} cannot be used: it is a directory`,
  });
});
