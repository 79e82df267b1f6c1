import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeAuthority, makeCertificate } from '../../harness/certificates.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { SECRET_TOKEN, serveBuyers } from '../paged-service.ts';
import { startNetwork } from './corporate.ts';

const home = useHome();
const list = ['buyers', 'list', '-o', 'ndjson', '-q'];
const fileOf = (name: string, text: string) => {
  const path = join(home.path, name);
  writeFileSync(path, text);
  chmodSync(path, 0o600);
  return path;
};

/** A service on loopback with a certificate of a private authority. */
async function start() {
  const { server, settings, authorityFile, authority } = await startNetwork(home);
  return { server, authorityFile, authority, env: { ...settings, PAYCTL_BASE_URL: server.origin } };
}

describe('the authority of a company', () => {
  it('is trusted from NODE_EXTRA_CA_CERTS, with one connection', async () => {
    const { server, env, authorityFile } = await start();
    const run = await home.payctl(list, { env: { ...env, NODE_EXTRA_CA_CERTS: authorityFile } });
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(server.connections()).toBe(1);
  });

  // OpenSSL reads the certificates of the system from this file, where a variable names one.
  it.skipIf(process.platform !== 'linux')(
    'is trusted from the store of the system, at the second attempt',
    async () => {
      const { server, env, authorityFile } = await start();
      const run = await home.payctl(list, { env: { ...env, SSL_CERT_FILE: authorityFile } });
      expect(run).toMatchObject({ stderr: '', code: 0 });
      expect([server.connections(), server.requests.length]).toEqual([2, 1]);
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'found in the store of the system lets a change through, which is sent once',
    async () => {
      const { server, env, authorityFile } = await start();
      const args = ['buyers', 'shipping-details', 'create', 'b1', '--first-name', 'Ann', '-o', 'json'];
      await home.payctl(args, { env: { ...env, SSL_CERT_FILE: authorityFile } });
      expect(server.requests.map(({ method }) => method)).toEqual(['POST']);
    },
  );

  it('is trusted from the ca_file of a profile', async () => {
    const { server, env, authorityFile } = await start();
    const settings = ['--base-url', server.origin, '--ca-file', authorityFile];
    expect(await home.payctl(['profiles', 'set', 'corp', ...settings])).toMatchObject({ code: 0 });
    const { PAYCTL_TOKEN } = env;
    const run = await home.payctl([...list, '--profile', 'corp'], { env: { PAYCTL_TOKEN } });
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(server.connections()).toBe(1);
  });

  it('that nobody knows is an error without a request', async () => {
    const { server, env } = await start();
    const { stderr, code } = await home.payctl(['buyers', 'list'], { env });
    expect({ stderr: stderr.replaceAll(server.origin, 'SERVICE'), code }).toEqual({
      stderr: [
        'Error: No response from SERVICE: the certificate of 127.0.0.1 is issued by an authority that neither Node nor the operating system trusts (Corp Root) (UNABLE_TO_VERIFY_LEAF_SIGNATURE) (tls)',
        'Request: GET SERVICE/buyers',
        "If it is your company's certificate authority, set NODE_EXTRA_CA_CERTS to its PEM file, or trust it in a profile: payctl profiles set NAME --ca-file AUTHORITY.pem",
        'Try: payctl doctor',
        '',
      ].join('\n'),
      code: 9,
    });
    expect(server.requests).toEqual([]);
  });
});

describe('a file of certificates', () => {
  const damaged = '-----BEGIN CERTIFICATE-----\nbm90IGEgY2VydGlmaWNhdGU=\n-----END CERTIFICATE-----\n';

  it.each([
    ['is not there', () => join(home.path, 'missing.pem'), 'no such file or directory'],
    ['is a directory', () => home.path, 'it is a directory'],
    ['holds no certificate', () => fileOf('text.pem', 'hello'), 'it contains no certificate'],
    ['is damaged', () => fileOf('damaged.pem', damaged), 'certificate 1 of 1 is damaged'],
  ])('that %s is refused with exit code 2, at once and later', async (_, path, reason) => {
    const file = path();
    const refused = await home.payctl(['profiles', 'set', 'faulty', '--ca-file', file]);
    expect(refused).toMatchObject({ stdout: '', code: 2 });
    expect(refused.stderr).toMatch(
      `Error: --ca-file is ${JSON.stringify(file)}, which cannot be used: ${reason} (invalid_ca_file)\n`,
    );
    const { authority, server, env } = await start();
    const good = fileOf('later.pem', authority.cert ?? '');
    await home.payctl(['profiles', 'set', 'later', '--base-url', server.origin, '--ca-file', good]);
    const profiles = join(home.configDirectory, 'profiles.json');
    const changed = readFileSync(profiles, 'utf8').replaceAll(JSON.stringify(good), JSON.stringify(file));
    writeFileSync(profiles, changed);
    const { PAYCTL_TOKEN } = env;
    const run = await home.payctl([...list, '--profile', 'later'], { env: { PAYCTL_TOKEN } });
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(JSON.parse(run.stderr)).toMatchObject({
      error: {
        code: 'invalid_ca_file',
        message: expect.stringMatching(`^ca_file of profile later is .*: ${reason}$`),
      },
    });
    expect(server.connections()).toBe(0);
  });

  it('is stored as an absolute path', async () => {
    const { authority } = await start();
    fileOf('relative.pem', authority.cert ?? '');
    const run = await home.payctl(['profiles', 'set', 'rel', '--ca-file', 'relative.pem', '--json'], {
      cwd: home.path,
    });
    expect(JSON.parse(run.stdout)).toMatchObject({ ca_file: join(home.path, 'relative.pem') });
    const gone = await home.payctl(['profiles', 'set', 'rel', '--unset', 'ca-file', '--json']);
    expect(JSON.parse(gone.stdout)).toMatchObject({ ca_file: null });
  });
});

describe('a client certificate', () => {
  const authority = makeAuthority({ name: 'Corp Root' });
  const made = makeCertificate({ name: 'Ann Admin', authority });
  const other = makeCertificate({ name: 'Other', authority });

  it('needs its own key', async () => {
    const certificate = fileOf('client.pem', made.cert);
    const args = ['profiles', 'set', 'mutual', '--client-certificate', certificate, '--client-key'];
    const wrong = await home.payctl([...args, fileOf('other.key', other.key)]);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it is not the key of the certificate in'),
    });
    const none = await home.payctl([...args, certificate]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('it contains no private key') });
    expect(await home.payctl([...args, fileOf('client.key', made.key)])).toMatchObject({ code: 0 });
  });

  it('is not shown where it was given instead of its path', async () => {
    for (const flags of [
      ['--client-certificate', fileOf('client.pem', made.cert), '--client-key', made.key],
      ['--ca-file', made.key],
      ['--client-key', made.key],
      ['--client-key', made.key.split('\n').slice(1, -2).join('')],
      ['--client-certificate', made.cert],
    ]) {
      const run = await home.payctl(['profiles', 'set', 'mutual', ...flags]);
      expect(run).toMatchObject({ stdout: '', code: 2 });
      expect(run.stderr).toMatch(
        /^Error: --[a-z-]+ contains a key or a certificate instead of the path of a file/,
      );
      expect(run.stderr).not.toContain(made.key.split('\n')[1]?.slice(0, 20));
      expect(run.stderr).not.toContain(made.cert.split('\n')[1]?.slice(0, 20));
    }
  });

  it('whose key others can read is used with a warning', async () => {
    const { server, env, authorityFile } = await start();
    const key = fileOf('open.key', made.key);
    const files = ['--client-certificate', fileOf('client.pem', made.cert), '--client-key', key];
    await home.payctl([
      ...`profiles set open --base-url ${server.origin} --ca-file ${authorityFile}`.split(' '),
      ...files,
    ]);
    chmodSync(key, 0o644);
    const { PAYCTL_TOKEN } = env;
    const run = await home.payctl(['buyers', 'list', '--profile', 'open', '--reveal-pii'], {
      env: { PAYCTL_TOKEN },
    });
    expect(run).toMatchObject({
      stderr: `client_key of profile open can be read by other users (mode 644); restrict it with: chmod 600 ${key}\n`,
      code: 0,
    });
  });

  it('is shown to the address of its profile and to no other', async () => {
    const { server, env, authorityFile } = await start();
    const files = [
      '--client-certificate',
      join(home.path, 'gone.pem'),
      '--client-key',
      join(home.path, 'gone.key'),
    ];
    fileOf('gone.pem', made.cert);
    fileOf('gone.key', made.key);
    await home.payctl([
      'profiles',
      'set',
      'home',
      '--base-url',
      'https://api.example.com',
      '--ca-file',
      authorityFile,
      ...files,
    ]);
    // It would be read, and refused, if it was to be shown.
    fileOf('gone.key', 'damaged');
    const run = await home.payctl([...list, '--profile', 'home', '--base-url', server.origin], { env });
    expect(run).toMatchObject({ code: 0 });
  });

  it('without a key is an error', async () => {
    const { env, server } = await start();
    const certificate = fileOf('lone.pem', made.cert);
    await home.payctl(
      `profiles set lone --base-url ${server.origin} --client-certificate ${certificate}`.split(' '),
    );
    const { PAYCTL_TOKEN } = env;
    const run = await home.payctl(['buyers', 'list', '--profile', 'lone'], { env: { PAYCTL_TOKEN } });
    expect(run).toMatchObject({
      stderr: [
        'Error: Profile lone has a client certificate without its key (invalid_client_certificate)',
        'Set both: payctl profiles set lone --client-certificate FILE --client-key FILE',
        '',
      ].join('\n'),
      code: 2,
    });
  });
});

describe('NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
  const off = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };

  it.each([
    ['a list', ['buyers', 'list']],
    ['a document', ['checkout-sessions', 'get', 'x']],
    ['a change', ['buyers', 'shipping-details', 'create', 'b1', '--first-name', 'Ann']],
  ])('is refused before anything is sent over https: %s', async (_, args) => {
    const { server, env } = await start();
    const run = await home.payctl(args, { env: { ...env, ...off } });
    expect(run).toMatchObject({
      stdout: '',
      stderr: [
        'Error: NODE_TLS_REJECT_UNAUTHORIZED is 0, which turns off certificate checks and would expose the token (insecure_tls)',
        "Unset it. To trust your company's certificate authority: payctl profiles set NAME --ca-file AUTHORITY.pem",
        '',
      ].join('\n'),
      code: 2,
    });
    expect(server.connections()).toBe(0);
  });

  it('is refused by doctor', async () => {
    const { server, env } = await start();
    const run = await home.payctl(['doctor'], { env: { ...env, ...off } });
    expect(run.stdout).toContain('fail\tsettings\tNODE_TLS_REJECT_UNAUTHORIZED is 0, which');
    expect([run.code, server.connections()]).toEqual([2, 0]);
  });

  it('is nothing to help, to the emulator and to plain http on this machine', async () => {
    expect(await home.payctl(['buyers', 'list', '--help'], { env: off })).toMatchObject({
      stderr: '',
      code: 0,
    });
    const emulator = await home.payctl([...list, '--profile', 'emulator', '--max-items', '1'], { env: off });
    expect(emulator).toMatchObject({ code: 0 });
    const { origin } = await serveBuyers(1);
    const env = { ...off, PAYCTL_BASE_URL: origin, PAYCTL_TOKEN: SECRET_TOKEN };
    expect(await home.payctl(list, { env })).toMatchObject({ stderr: '', code: 0 });
  });
});
