import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../../commands/run-in-process.ts';
import type { RecordedRequest } from '../../harness/http-server.ts';
import { lines } from '../../harness/lines.ts';
import { serve } from '../../harness/serve.ts';

const UPDATE = ['checkout-sessions', 'update', 's-1'];
const STORED =
  '{"type":"checkout-session","id":"s-1","cart_items":[{"name":"A","quantity":1.0}],"metadata":{"a":"1"}}';

type Stored = { text: string };
/** Looks at a request before it is answered; where it answers, nothing else does. */
type Interference = (request: RecordedRequest, stored: Stored, response: ServerResponse) => void;

/** A service with one session, which `interfere` may change as somebody else would. */
async function serviceWith(interfere: Interference = () => {}, text = STORED) {
  const stored: Stored = { text };
  const server = await serve((request, response) => {
    interfere(request, stored, response);
    if (response.writableEnded) return;
    if (request.method === 'PUT') {
      const given = JSON.stringify({ ...JSON.parse(stored.text), ...JSON.parse(request.body) });
      stored.text = given;
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(stored.text);
  });
  const run = async (...flags: string[]) => {
    const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque', PAYCTL_MAX_RETRIES: '2' };
    return await runInProcess([...UPDATE, ...flags], { env });
  };
  const sent = () => server.requests.map(({ method, body }) => (body === '' ? method : `${method} ${body}`));
  return { server, stored, run, sent };
}

/** Changes metadata once, after so many requests were answered. */
function changesMetadata(after: number, metadata: object): Interference {
  let count = 0;
  return (_, stored) => {
    if (count === after) {
      stored.text = stored.text.replace(/(?<="metadata":)\{.*?\}/, JSON.stringify(metadata));
    }
    count += 1;
  };
}

describe('an update of parts of a session', () => {
  it('reads the session, reads it again right before the change, and sends only the fields that change', async () => {
    const { run, sent } = await serviceWith();
    const { code, stderr, stdout } = await run('--add-cart-item', '{"name":"B","quantity":2}', '--jq', '.id');
    expect(sent()).toEqual([
      'GET',
      'GET',
      'PUT {"cart_items":[{"name":"A","quantity":1.0},{"name":"B","quantity":2}]}',
    ]);
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: 'The update adds 1 item to the 1 in the cart.\n',
      stdout: 's-1\n',
    });
  });

  it('sends the fields that are replaced with those that are changed', async () => {
    const { run, sent } = await serviceWith();
    const flags = [
      '--set-metadata',
      'b=2',
      '--airline',
      '{"booking_code":"X"}',
      '--data',
      '{"cart_items":null}',
    ];
    expect(await run(...flags, '-q')).toMatchObject({ code: 0, stderr: '' });
    expect(sent().at(-1)).toBe(
      'PUT {"cart_items":null,"airline":{"booking_code":"X"},"metadata":{"a":"1","b":"2"}}',
    );
  });

  it('sends nothing where nothing changes, and shows the session', async () => {
    const { run, sent } = await serviceWith();
    const { code, stderr, stdout } = await run('--set-metadata', 'a=1', '--remove-metadata', 'b', '--json');
    expect(sent()).toEqual(['GET']);
    const warning = (code: string, message: string) => JSON.stringify({ warning: { code, message } });
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: lines(
        warning('metadata_not_found', 'The session has no metadata "b" to remove.'),
        warning('unchanged', 'Nothing was sent: the session already has these values.'),
      ),
      stdout: `${STORED}\n`,
    });
  });

  it('is no change that was carried out where nothing was sent and the session cannot be shown', async () => {
    const { run } = await serviceWith();
    const { code, stderr } = await run('--set-metadata', 'a=1', '--jq', '.id|tonumber', '-q', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stderr).error).toHaveProperty('outcome', 'not_sent');
  });

  it('tells where the service stored something else than it was sent', async () => {
    const { run } = await serviceWith(({ method }, { text }, response) => {
      if (method === 'PUT') response.end(text);
    });
    const { code, stderr } = await run('--set-metadata', 'a=2', '--json');
    const message =
      'The response differs from what was sent at /metadata/a: the service stored another value there, or none.';
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: lines(JSON.stringify({ warning: { code: 'not_stored_as_sent', message } })),
    });
  });

  it('leaves a session alone that has not the form of the contract', async () => {
    const { run, sent } = await serviceWith(() => {}, '{"id":"s-1","metadata":["a"]}');
    const { code, stderr } = await run('--set-metadata', 'a=2', '--json');
    expect(code).toBe(9);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'unexpected_shape' });
    expect(sent()).toEqual(['GET']);
  });
});

describe('a session that somebody else changes', () => {
  it('is read again, and updated from its newer state', async () => {
    const { run, sent, stored } = await serviceWith(changesMetadata(1, { a: '1', theirs: 'x' }));
    const { code, stderr } = await run('--set-metadata', 'ours=y');
    expect(sent()).toEqual(['GET', 'GET', 'GET', 'PUT {"metadata":{"a":"1","theirs":"x","ours":"y"}}']);
    expect(JSON.parse(stored.text).metadata).toEqual({ a: '1', theirs: 'x', ours: 'y' });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: lines(
        'The update sets metadata "ours".',
        'Someone else changed metadata of the session; the update now includes that change.',
        'The update sets metadata "ours".',
      ),
    });
  });

  it('has a warning with a code', async () => {
    const { run } = await serviceWith(changesMetadata(1, {}));
    const { stderr } = await run('--set-metadata', 'ours=y', '-o', 'ndjson');
    expect(JSON.parse(stderr).warning.code).toBe('session_changed');
  });

  it('is not in the way where other fields changed', async () => {
    const { run, sent } = await serviceWith(changesMetadata(1, { theirs: 'x' }));
    expect(await run('--add-cart-item', '{"name":"B"}', '-q')).toMatchObject({ code: 0, stderr: '' });
    expect(sent()).toHaveLength(3);
  });

  it('needs no update where the other one made the same change', async () => {
    const { run, sent } = await serviceWith(changesMetadata(1, { a: '2' }));
    const { code, stderr } = await run('--set-metadata', 'a=2');
    expect(sent()).toEqual(['GET', 'GET']);
    expect({ code, stderr: stderr.split('\n').at(-2) }).toEqual({
      code: 0,
      stderr: 'Nothing was sent: the session already has these values.',
    });
  });

  it('ends the run with 6, and nothing sent, where it changes all the time', async () => {
    let count = 0;
    const { run, sent } = await serviceWith((_, stored) => {
      count += 1;
      stored.text = `{"id":"s-1","metadata":{"n":"${count}"}}`;
    });
    const { code, stderr } = await run('--set-metadata', 'a=2', '-q');
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: lines(
        'Error: Nothing was sent: someone else keeps changing the session (session_changed)',
        'Run the command again.',
      ),
    });
    expect(sent()).toEqual(Array.from({ length: 6 }, () => 'GET'));
  });
});

/** Answers the first update with this status, and processes it or not. */
function failsOnce(status: number, { processes }: { readonly processes: boolean }): Interference {
  let failed = false;
  return ({ method, body }, stored, response) => {
    if (method !== 'PUT' || failed) return;
    failed = true;
    if (processes) stored.text = JSON.stringify({ ...JSON.parse(stored.text), ...JSON.parse(body) });
    response.writeHead(status, { 'retry-after': '0' }).end();
  };
}

describe('an update that is tried again', () => {
  it.each([true, false])(
    'adds an item once, whether the first was processed or not: %s',
    async (processes) => {
      const { run, sent, stored } = await serviceWith(failsOnce(503, { processes }));
      const { code } = await run('--add-cart-item', '{"name":"B"}', '-q');
      expect(code).toBe(0);
      expect(sent().map((text) => text.slice(0, 3))).toEqual(['GET', 'GET', 'PUT', 'GET', 'PUT']);
      expect(JSON.parse(stored.text).cart_items).toEqual([{ name: 'A', quantity: 1 }, { name: 'B' }]);
    },
  );

  it('is not sent where somebody else changed the session since: the outcome of the first is unknown', async () => {
    const fail = failsOnce(503, { processes: false });
    const change = changesMetadata(3, { theirs: 'x' });
    const { run, sent } = await serviceWith((...request) => {
      change(...request);
      fail(...request);
    });
    const { code, stderr } = await run('--set-metadata', 'ours=y', '-q');
    expect(sent().map((text) => text.slice(0, 3))).toEqual(['GET', 'GET', 'PUT', 'GET']);
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: lines(
        'Error: Someone else changed metadata of the session while the update was being retried (session_changed)',
        'Outcome unknown: the service may have processed this request. Check before you send it again.',
        'Check the session before you update it again: payctl checkout-sessions get s-1',
      ),
    });
  });

  it('is sent where the session cannot be read at that moment', async () => {
    const fail = failsOnce(503, { processes: false });
    let reads = 0;
    const { run, sent } = await serviceWith((request, stored, response) => {
      fail(request, stored, response);
      if (request.method === 'GET') reads += 1;
      if (reads === 3 && request.method === 'GET') response.writeHead(403).end();
    });
    expect(await run('--set-metadata', 'ours=y', '-q')).toMatchObject({ code: 0 });
    expect(sent().map((text) => text.slice(0, 3))).toEqual(['GET', 'GET', 'PUT', 'GET', 'PUT']);
  });
});

it('a session that cannot be read again ends the run as the reading did, and nothing is sent', async () => {
  let reads = 0;
  const { run, sent } = await serviceWith((_, __, response) => {
    reads += 1;
    if (reads > 1) response.writeHead(503, { 'retry-after': '0' }).end();
  });
  const { code, stderr } = await run('--set-metadata', 'ours=y', '-q', '--json');
  expect(code).toBe(8);
  expect(JSON.parse(stderr).error).toMatchObject({ status: 503, request: { method: 'GET', attempts: 3 } });
  expect(sent()).toEqual(['GET', 'GET', 'GET', 'GET']);
});

describe('--dry-run', () => {
  it.each(['table', 'json', 'ndjson', 'yaml', 'csv'])(
    'reads the session and shows the update as it would be sent: %s',
    async (format) => {
      const { run, sent } = await serviceWith();
      const { code, stdout } = await run('--add-cart-item', '{"extra":1e2}', '--dry-run', '-o', format);
      expect(sent()).toEqual(['GET']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/1\.0.*1e2/s);
      expect(stdout).not.toMatch(/opaque|rawJSON/);
    },
  );

  it('says that it reads the session, and shows no secret of it', async () => {
    const text = '{"id":"s-1","metadata":{"api_key":"k-1","name":"\\u202e"}}';
    const { run } = await serviceWith(() => {}, text);
    const shown = await run('--set-metadata', 'a=1', '--dry-run');
    expect(shown.stderr).toBe(
      lines('The session is read to make this request. Nothing is changed.', 'The update sets metadata "a".'),
    );
    expect(shown.stdout.split('\n').at(-2)).toBe(
      '{"metadata":{"api_key":"********","name":"\\u202e","a":"1"}}',
    );
    const revealed = await run('--set-metadata', 'a=1', '--dry-run', '--reveal-secrets');
    expect(revealed.stdout).toContain('"api_key":"k-1"');
  });

  it('prints no request where nothing would be sent', async () => {
    const { run } = await serviceWith();
    const { code, stdout, stderr } = await run('--set-metadata', 'a=1', '--dry-run', '--json');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(JSON.parse(stderr).warning.code).toBe('unchanged');
  });
});
