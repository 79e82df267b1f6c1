import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PROBE_IDS } from '../../../src/cli/routing/catalog/probes.ts';
import { type CertificateOptions, makeAuthority, makeCertificate } from '../../harness/certificates.ts';
import { startServer } from '../../harness/http-server.ts';
import { lines } from '../../harness/lines.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { against, serve } from '../paged-service.ts';

const home = useHome();
const DAY = 86_400_000;
const NODE = '(checked against the certificates of Node)';
const STORES = /\(checked against the certificates of Node( and the operating system)?\)/;
const fromNow = (days: number) => new Date(Date.now() + days * DAY);
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

async function doctor(env: Record<string, string>) {
  const { stdout, stderr, code } = await home.payctl(['doctor'], { env });
  return { rows: stdout.split('\n').slice(3, -1), stderr, code };
}

const UNTOUCHED = [
  'pass\tcredentials\tthe token from PAYCTL_TOKEN can be used\t',
  'skip\tscopes\tnot checked: no accepted credentials\t',
  'skip\tmerchant-account\tnot checked: no accepted credentials\t',
];

describe('without a connection', () => {
  it('exits with 9 when the host name does not exist', async () => {
    // A label of 64 characters is refused by every resolver without a question to the network.
    const host = `${'a'.repeat(64)}.invalid`;
    const { rows, stderr, code } = await doctor(against({ origin: `https://${host}` }));
    expect(rows[0]).toMatch(
      new RegExp(`^fail\thost\t${host} cannot be resolved \\(E[A-Z_]+\\)\t[A-Z].*\\.$`),
    );
    expect({ rows: rows.slice(1), stderr, code }).toEqual({
      rows: [
        'skip\ttls\tnot checked: the host name could not be resolved\t',
        'skip\tanswer\tnot checked: the host name could not be resolved\t',
        'skip\tclock\tnot checked: the host name could not be resolved\t',
        ...UNTOUCHED,
      ],
      stderr: '1 problem.\n',
      code: 9,
    });
  });

  it.each(['http', 'https'])('exits with 9 when the connection is refused: %s', async (scheme) => {
    const server = await serve(() => {});
    await server.close();
    const origin = server.origin.replace('http', scheme);
    const tls =
      scheme === 'http'
        ? 'pass\ttls\tplain http to this machine; no certificate is needed\t'
        : 'skip\ttls\tno connection (ECONNREFUSED)\t';
    expect(await doctor(against({ origin }))).toEqual({
      rows: [
        'pass\thost\t127.0.0.1 is an IP address; no lookup is needed\t',
        tls,
        `fail\tanswer\tNo response from ${origin}: the connection was refused (ECONNREFUSED)\tProbably nothing is listening at this address.`,
        'skip\tclock\tnot checked: no response\t',
        ...UNTOUCHED,
      ],
      stderr: '1 problem.\n',
      code: 9,
    });
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
      tls: `pass\ttls\tthe certificate of 127.0.0.1, issued by Doctor Test, is valid until ${dayOf(good.to)}, for 60 days ${NODE}\t`,
      answer: 'pass',
      stderr: 'No problems.\n',
      code: 0,
      // One to try it out, and one for each list.
      requests: 1 + PROBE_IDS.length,
    });
  });

  it('is a warning with less than three weeks left', async () => {
    const to = fromNow(10);
    expect(await run({ ...good, to }, true)).toMatchObject({
      tls: `warn\ttls\tthe certificate of 127.0.0.1, issued by Doctor Test, is valid until ${dayOf(to)}, for 10 days more ${NODE}\tThe operator of 127.0.0.1 must renew it.`,
      stderr: 'No problems, 1 warning.\n',
      code: 0,
    });
  });

  const trust =
    "If it is your company's certificate authority, set NODE_EXTRA_CA_CERTS to its PEM file, or trust it in a profile: payctl profiles set NAME --ca-file AUTHORITY.pem";
  const expired = { ...good, to: fromNow(-5) };

  it.each<[string, CertificateOptions, boolean, string, string]>([
    ['self-signed', good, false, 'is self-signed', trust],
    [
      'of an unknown authority',
      { ...good, authority: makeAuthority() },
      false,
      'is issued by an authority that neither Node nor the operating system trusts (Nobody Knows)',
      trust,
    ],
    [
      'expired',
      expired,
      true,
      `expired on ${dayOf(expired.to)}, 5 days ago`,
      'The operator of 127.0.0.1 must renew it, unless the date of this machine is wrong.',
    ],
    [
      'not valid yet',
      { ...good, from: fromNow(2) },
      true,
      `is not valid before ${dayOf(fromNow(2))}`,
      'Check the date of this machine.',
    ],
    [
      'made out for another host',
      { ...good, addresses: ['127.0.0.2'] },
      true,
      'is issued for IP Address:127.0.0.2',
      'Check that 127.0.0.1 is the right host. In a public network, sign in with a browser first.',
    ],
  ])(
    'fails when it is %s: nothing is sent, and the run exits with 9',
    async (_, options, isKnown, reason, remedy) => {
      const found = await run(options, isKnown);
      // Where the system has no certificates, there is nothing more to check against.
      expect({ ...found, tls: found.tls?.replace(isKnown ? NODE : STORES, 'STORE') }).toEqual({
        tls: `fail\ttls\tthe certificate of 127.0.0.1${isKnown ? ', issued by Doctor Test,' : ''} ${reason} STORE\t${remedy}`,
        answer: 'skip',
        stderr: '1 problem.\n',
        code: 9,
        requests: 0,
      });
    },
  );

  it('is reported with everything that is wrong with it', async () => {
    const { tls } = await run({ ...expired, addresses: ['127.0.0.2'] }, true);
    expect(tls).toContain(
      `127.0.0.1, issued by Doctor Test, expired on ${dayOf(expired.to)}, 5 days ago; it is issued for IP Address:127.0.0.2 ${NODE}\tThe operator`,
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
