import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type CertificateOptions,
  makeAuthority,
  makeCertificate,
} from '../../features/doctor/make-certificate.ts';
import { startServer } from '../../harness/http-server.ts';
import { lines } from '../../harness/lines.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { against, serve } from '../paged-service.ts';

const home = useHome();
const DAY = 86_400_000;
const fromNow = (days: number) => new Date(Date.now() + days * DAY);
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

async function doctor(env: Record<string, string>) {
  const { stdout, stderr, code } = await home.payctl(['doctor'], { env });
  return { rows: stdout.split('\n').slice(3, -1), stderr, code };
}

const UNTOUCHED = [
  'ok\tcredentials\tthe token of PAYCTL_TOKEN can be used\t',
  'skipped\tscopes\tnot checked: no accepted credentials\t',
  'skipped\tmerchant-account\tnot checked: no accepted credentials\t',
];

describe('without a connection', () => {
  it('exits with 9 when the host name does not exist', async () => {
    // A label of 64 characters is refused by every resolver without a question to the network.
    const host = `${'a'.repeat(64)}.invalid`;
    const { rows, stderr, code } = await doctor(against({ origin: `https://${host}` }));
    expect(rows[0]).toMatch(
      new RegExp(`^fault\thost\t${host} cannot be resolved \\(E[A-Z_]+\\)\t[A-Z].*\\.$`),
    );
    expect({ rows: rows.slice(1), stderr, code }).toEqual({
      rows: [
        'skipped\ttls\tnot checked: the host name is not known\t',
        'skipped\tanswer\tnot checked: the host name is not known\t',
        'skipped\tclock\tnot checked: the host name is not known\t',
        ...UNTOUCHED,
      ],
      stderr: '1 fault.\n',
      code: 9,
    });
  });

  it.each(['http', 'https'])('exits with 9 when the connection is refused: %s', async (scheme) => {
    const server = await serve(() => {});
    await server.close();
    const origin = server.origin.replace('http', scheme);
    const tls =
      scheme === 'http'
        ? 'ok\ttls\tplain http, which stays on this machine: there is no certificate\t'
        : 'skipped\ttls\tno connection (ECONNREFUSED)\t';
    expect(await doctor(against({ origin }))).toEqual({
      rows: [
        'ok\thost\t127.0.0.1 is an address, there is nothing to look up\t',
        tls,
        `fault\tanswer\tNo answer from ${origin}: the connection was refused (ECONNREFUSED)\tProbably nothing listens at this address.`,
        'skipped\tclock\tnot checked: no answer\t',
        ...UNTOUCHED,
      ],
      stderr: '1 fault.\n',
      code: 9,
    });
  });

  it('exits with 9 when nothing is answered in time', async () => {
    const server = await serve(() => {});
    const { rows, code } = await doctor({ ...against(server), PAYCTL_TIMEOUT: '200ms' });
    expect(rows[2]).toBe(
      `fault\tanswer\tNo answer from ${server.origin}: no complete response within 200 ms\tProbably the service is slow or out of reach; --timeout 2m waits longer.`,
    );
    expect(code).toBe(9);
  });

  it('exits with 9 when the service says that it is down', async () => {
    const server = await serve((_, response) => void response.writeHead(503).end());
    const { rows, stderr, code } = await doctor(against(server));
    expect(rows[2]?.replace(/\d+ ms/, 'N ms')).toBe(
      'fault\tanswer\tthe service answers in N ms that it is failing (503)\tTry again later, or ask whoever runs the service.',
    );
    expect(rows[4]).toBe(
      'warning\tcredentials\tthe token of PAYCTL_TOKEN can be used; GET /roles gave no roles: Service Unavailable (503)\tTry again later.',
    );
    expect({ stderr, code }).toEqual({ stderr: '1 fault, 1 warning.\n', code: 9 });
  });
});

describe('a certificate', () => {
  const good = { from: fromNow(-30), to: fromNow(60), addresses: ['127.0.0.1'] };

  /** The line about TLS of a run against a server with such a certificate, and how the run ended. */
  async function run(options: CertificateOptions, isKnown: boolean) {
    const made = makeCertificate(options);
    const file = join(home.path, 'certificate.pem');
    writeFileSync(file, made.cert);
    const server = await startServer((_, response) => void response.end('{"items":[]}'), made);
    onTestFinished(() => server.close());
    const env = isKnown ? { NODE_EXTRA_CA_CERTS: file } : {};
    const { rows, stderr, code } = await doctor({ ...against(server), ...env });
    return { tls: rows[1], answer: rows[2]?.split('\t')[0], stderr, code, requests: server.requests.length };
  }

  it('is good when its authority is known, and says until when', async () => {
    expect(await run(good, true)).toEqual({
      tls: `ok\ttls\tthe certificate of 127.0.0.1 is valid until ${dayOf(good.to)}, for 60 days\t`,
      answer: 'ok',
      stderr: 'No faults.\n',
      code: 0,
      requests: 10,
    });
  });

  it('is a warning with less than three weeks left', async () => {
    const to = fromNow(10);
    expect(await run({ ...good, to }, true)).toMatchObject({
      tls: `warning\ttls\tthe certificate of 127.0.0.1 is valid until ${dayOf(to)}, for 10 days more\tWhoever runs 127.0.0.1 has to renew it.`,
      stderr: 'No faults, 1 warning.\n',
      code: 0,
    });
  });

  const trust = 'If you trust it, name the file of its authority: export NODE_EXTRA_CA_CERTS=AUTHORITY.pem';
  const expired = { ...good, to: fromNow(-5) };

  it.each<[string, CertificateOptions, boolean, string, string]>([
    ['self-signed', good, false, 'is self-signed', trust],
    [
      'of an unknown authority',
      { ...good, authority: makeAuthority() },
      false,
      'is of an authority that is not known here (Nobody Knows)',
      trust,
    ],
    [
      'expired',
      expired,
      true,
      `expired on ${dayOf(expired.to)}, 5 days ago`,
      'Whoever runs 127.0.0.1 has to renew it, unless the date of this machine is wrong.',
    ],
    [
      'not valid yet',
      { ...good, from: fromNow(2) },
      true,
      `is not valid before ${dayOf(fromNow(2))}`,
      'See whether the date of this machine is right.',
    ],
    [
      'made out for another host',
      { ...good, addresses: ['127.0.0.2'] },
      true,
      'is made out for IP Address:127.0.0.2',
      'See whether 127.0.0.1 is the host that you mean.',
    ],
  ])(
    'is a fault when it is %s: nothing is sent, and the run exits with 9',
    async (_, options, isKnown, reason, remedy) => {
      expect(await run(options, isKnown)).toEqual({
        tls: `fault\ttls\tthe certificate of 127.0.0.1 ${reason}\t${remedy}`,
        answer: 'skipped',
        stderr: '1 fault.\n',
        code: 9,
        requests: 0,
      });
    },
  );

  it('has all of its faults told at once', async () => {
    const { tls } = await run({ ...expired, addresses: ['127.0.0.2'] }, true);
    expect(tls).toContain(
      `127.0.0.1 expired on ${dayOf(expired.to)}, 5 days ago; it is made out for IP Address:127.0.0.2\tWhoever`,
    );
  });
});

describe('a reader that goes away', () => {
  it('ends the run quietly', async () => {
    const server = await serve((_, response) => void response.end('{"items":[]}'));
    const run = await home.shell('$PAYCTL doctor | head -1', { env: against(server) });
    expect(run).toMatchObject({ stdout: lines('STATE\tCHECK\tFOUND\tREMEDY'), code: 0 });
  });
});
