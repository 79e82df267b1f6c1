import { describe, expect, it } from 'vitest';
import { lines } from '../../harness/lines.ts';
import { against, SECRET_TOKEN, serve, serveBuyers } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';
import { useEmulator } from '../shared-emulator.ts';

const { useHome } = quickHomes();

const home = useHome();
const LIST = ['buyers', 'list'];

describe('-v', () => {
  it('says which source won for each setting, and the whole exchange without token and persons', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'x-request-id': 'req-9', 'set-cookie': 'session=secret', date: 'now' });
      response.end('{"items":[{"id":"b-1","display_name":"Ada","amount":5}],"next_cursor":null}');
    });
    const args = [
      ...LIST,
      '-v',
      '-m',
      'shop',
      '--search',
      'Ada',
      '--limit',
      '2',
      '-o',
      'csv',
      '--columns',
      'id',
    ];
    const run = await home.payctl(args, { env: { ...against(server), PAYCTL_TIMEOUT: '5s' } });
    expect(run.stderr.replace(/in \d+ ms/, 'in N ms').replace(/payctl\/.*/, 'payctl')).toBe(
      lines(
        '* profile: none (default)',
        `* base URL: ${server.origin} (PAYCTL_BASE_URL)`,
        '* credentials: PAYCTL_TOKEN',
        '* merchant account: shop (--merchant-account)',
        '* time limit: 5000 ms (PAYCTL_TIMEOUT)',
        '* retries: 3 (default)',
        `> GET ${server.origin}/buyers?search=********&limit=2`,
        '> accept: application/json',
        '> accept-encoding: gzip',
        '> user-agent: payctl',
        '> x-service-merchant-account-id: shop',
        '> authorization: Bearer ********',
        '< 200 in N ms',
        '< x-request-id: req-9',
        '< set-cookie: ********',
        '< date: now',
        '< connection: keep-alive',
        '< keep-alive: timeout=5',
        '< transfer-encoding: chunked',
        '< {"items":[{"id":"b-1","display_name":"********","amount":5}],"next_cursor":null}',
      ),
    );
    expect(run).toMatchObject({ stdout: 'id\r\nb-1\r\n', code: 0 });
  });

  it('is the same as PAYCTL_VERBOSE=1, also beside JSON', async () => {
    const server = await serveBuyers(1);
    const env = against(server);
    const said = (text: string) => text.replace(/in \d+ ms/, '').replace(/date: .*/, '');
    const flag = await home.payctl([...LIST, '-v', '--json'], { env });
    const variable = await home.payctl([...LIST, '--json'], { env: { ...env, PAYCTL_VERBOSE: '1' } });
    expect(said(variable.stderr)).toBe(said(flag.stderr));
    expect(flag.stderr).toContain('> GET ');
    expect(JSON.parse(flag.stdout).items).toHaveLength(1);
    const off = await home.payctl(LIST, { env: { ...env, PAYCTL_VERBOSE: '0' } });
    expect(off.stderr).toBe('');
  });

  it('shows neither token, nor key, nor an answer that it cannot read', async () => {
    const server = await serve((_, response) => void response.writeHead(500).end('Ada Lovelace, card 4111'));
    const run = await home.payctl([...LIST, '-v', '--max-retries', '0'], { env: against(server) });
    expect(run.stderr).toContain('< [23 characters that are not JSON]\n');
    expect(run.stderr).not.toContain(SECRET_TOKEN);
  });

  it('shows no token that the service sends back, in a header, in the body, in its message', async () => {
    const server = await serve(({ headers: { authorization = '' } }, response) => {
      const body = { type: 'error', code: 'unauthorized', status: 401, message: authorization, details: [] };
      response.writeHead(401, { 'x-echo': authorization }).end(JSON.stringify(body));
    });
    const run = await home.payctl([...LIST, '-v'], { env: against(server) });
    expect(run.stderr.split('\n').filter((line) => line.includes(SECRET_TOKEN))).toEqual([]);
    expect(run.code).toBe(3);
  });
});

describe('-v with personal data', () => {
  const other = useHome();
  useEmulator(other, { buyers: 40 });

  it('shows no name, address, number or mail of any buyer', async () => {
    const args = [...LIST, '--profile', 'emulator', '--reveal-pii', '--limit', '40', '-v'];
    const run = await other.payctl([...args, '-o', 'json']);
    const texts = new Set<string>();
    for (const item of JSON.parse(run.stdout).items) collectTexts(item.billing_details, texts);
    for (const item of JSON.parse(run.stdout).items)
      texts.add(item.display_name ?? '').add(item.external_identifier ?? '');
    // What differs in each run can hold any digits.
    const stderr = run.stderr.replaceAll(/(?<=x-request-id: |--cursor )[\w-]+/g, '');
    const shown = [...texts].filter((text) => text.length > 3 && stderr.includes(text));
    expect(texts.size).toBeGreaterThan(100);
    expect(shown).toEqual([]);
    expect(run.stderr).not.toMatch(/eyJ|BEGIN/);
    expect(run.stderr).toContain('* credentials: profile emulator');
  });
});

function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value);
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) collectTexts(part, texts);
  }
}
