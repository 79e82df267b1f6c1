import { expect, it } from 'vitest';
import { freshHome } from '../../harness/run-payctl.ts';
import { delivery } from '../../harness/webhook.ts';

const MOST = 10_000_000;
const NOWHERE = 'http://127.0.0.1:1/';

/** Sends events of nearly 1 MB each to a listener without a secret; resolves to the responses. */
async function fill(url: string, count: number): Promise<readonly string[]> {
  const responses: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { body, headers } = delivery(undefined, {
      id: `d-${index}`,
      body: `{"event":"buyer.created","x":"${'x'.repeat(MOST / 10)}"}`,
    });
    const response = await fetch(url, { method: 'POST', body, headers });
    responses.push(`${response.status} ${await response.text()}`);
  }
  return responses;
}

it.each([
  {
    name: 'deletes the oldest events that need not be forwarded any more, and says so once',
    flags: [],
    last: '200 {"message":"the event was stored"}\n',
    stored: 'd-14,d-13,d-12,d-11,d-10,d-9,d-8,d-7,d-6,d-5\n',
    warning: {
      code: 'events_deleted',
      message:
        'The stored events take 10MB (--keep-size): from now on, the oldest that need not be forwarded any more are deleted for new ones.',
    },
  },
  {
    name: 'refuses events where all others are still to be forwarded, and says so once',
    flags: ['--forward', NOWHERE],
    last: '503 {"message":"the event was not taken, because there is no room for it; try again"}\n',
    stored: 'd-9,d-8,d-7,d-6,d-5,d-4,d-3,d-2,d-1,d-0\n',
    warning: {
      code: 'event_not_stored',
      message:
        'The stored events take 10MB (--keep-size), and all of them are still to be forwarded or were given up: new ones are refused with 503, and the service sends them again. To see them: payctl webhooks list --failed',
    },
  },
])('a listener that is full $name', async ({ flags, last, stored, warning }) => {
  const home = freshHome();
  const words = ['webhooks', 'listen', '--port', '0', '--keep-size', '10MB', '-o', 'ndjson', '--jq', '.url'];
  const listener = home.start([...words, ...flags]);
  const [first = ''] = (await listener.sees('stdout', '\n')).split('\n');
  const responses = await fill(JSON.parse(first), 15);
  expect(responses.at(-1)).toBe(last);
  listener.kill('SIGTERM');
  const { stderr, code } = await listener.done;
  const warnings = stderr.split('\n').filter((line) => line.includes(warning.code));
  expect(warnings).toEqual([JSON.stringify({ warning })]);
  expect(code).toBe(0);
  const list = await home.payctl(['webhooks', 'list', '--jq', '[.items[].id] | join(",")']);
  expect(list.stdout).toBe(stored);
});

it('takes no size that is too small for a single event', async () => {
  const { stderr, code } = await freshHome().payctl(['webhooks', 'listen', '--keep-size', '1MB']);
  expect(stderr).toContain('--keep-size must be a size from 10MB to 4GB, not "1MB"');
  expect(code).toBe(2);
});
