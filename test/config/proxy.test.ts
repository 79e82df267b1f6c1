import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';
import { findExclusion } from '../../src/config/no-proxy.ts';
import type { Profile } from '../../src/config/profile.ts';
import { parsePlainProxy, parseProxy } from '../../src/config/proxy.ts';
import { nameOfSource, resolveSettings } from '../../src/config/settings.ts';
import { UsageError } from '../../src/errors.ts';

const refused = (act: () => unknown): UsageError => {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return error;
  }
  throw new Error('expected a UsageError');
};

describe('which proxy wins', () => {
  const acme: Profile = { name: 'acme', proxy: 'http://acme:1' };

  /** `SOURCE PROXY` of a run with such variables; the profile acme is there and active, unless a flag names it. */
  function winner(
    variables: Record<string, string>,
    flags: { proxy?: string; profile?: string } = {},
    profile = acme,
  ) {
    const { proxy } = resolveSettings({
      flags,
      environment: readEnvironment(variables),
      profiles: new Map([['acme', profile]]),
      activeProfile: 'acme',
    });
    return `${nameOfSource(proxy.source)} ${proxy.value}`;
  }

  const all = {
    PAYCTL_PROXY: 'http://payctl:1',
    https_proxy: 'http://lower:1',
    HTTPS_PROXY: 'http://upper:1',
    all_proxy: 'http://lower-all:1',
    ALL_PROXY: 'http://upper-all:1',
  };

  it('is the flag, the profile that a flag names, the variables in order, the active profile', () => {
    const names = Object.keys(all) as (keyof typeof all)[];
    const from = (index: number) => Object.fromEntries(names.slice(index).map((name) => [name, all[name]]));
    expect(winner(all, { proxy: 'http://flag:1', profile: 'acme' })).toBe('--proxy http://flag:1');
    expect(winner(all, { profile: 'acme' })).toBe('profile acme http://acme:1');
    expect(names.map((_, index) => winner(from(index)))).toEqual(names.map((name) => `${name} ${all[name]}`));
    expect(winner({})).toBe('profile acme http://acme:1');
    expect(winner({}, {}, { name: 'acme' })).toBe('default undefined');
  });

  it('is that of a variable where the named profile has none', () => {
    expect(winner({ HTTPS_PROXY: 'http://upper:1' }, { profile: 'acme' }, { name: 'acme' })).toBe(
      'HTTPS_PROXY http://upper:1',
    );
  });

  it('is not that of an empty variable, which does not hide the one in upper case', () => {
    expect(winner({ https_proxy: '', HTTPS_PROXY: 'http://upper:1' })).toBe('HTTPS_PROXY http://upper:1');
    expect(winner({ PAYCTL_PROXY: '', all_proxy: '', ALL_PROXY: 'http://x:1' })).toBe('ALL_PROXY http://x:1');
  });

  it('is never that of HTTP_PROXY', () => {
    expect(winner({ HTTP_PROXY: 'http://x:1', http_proxy: 'http://x:1' }, {}, { name: 'acme' })).toBe(
      'default undefined',
    );
  });
});

describe('the address of a proxy', () => {
  it.each([
    ['http://proxy:3128', 'http://proxy:3128'],
    ['https://proxy.example.com', 'https://proxy.example.com'],
    ['HTTP://Proxy:3128/', 'http://proxy:3128'],
    ['proxy:3128', 'http://proxy:3128'],
    ['proxy', 'http://proxy'],
    ['10.0.0.1:8080', 'http://10.0.0.1:8080'],
    ['http://[::1]:3128', 'http://[::1]:3128'],
    [' http://proxy:3128\n', 'http://proxy:3128'],
  ])('%j is %s', (text, url) => {
    expect(parseProxy(text, 'HTTPS_PROXY')).toEqual({ url });
  });

  it.each([
    ['http://user:pass@proxy:3128', { username: 'user', password: 'pass' }],
    ['user:pass@proxy:3128', { username: 'user', password: 'pass' }],
    ['http://user:p%40ss%3Aw%2Frd@proxy:3128', { username: 'user', password: 'p@ss:w/rd' }],
    ['http://user@proxy:3128', { username: 'user', password: '' }],
  ])('may hold credentials, which are not part of it: %s', (text, credentials) => {
    expect(parseProxy(text, 'HTTPS_PROXY')).toEqual({ url: 'http://proxy:3128', credentials });
  });

  it.each(['socks5://proxy:1080', 'SOCKS5H://proxy', 'socks4a://user:secret@proxy', 'ftp://proxy'])(
    'has a scheme that payctl cannot use: %s',
    (text) => {
      const { code, message } = refused(() => parseProxy(text, 'ALL_PROXY'));
      const scheme = text.split(':')[0]?.toLowerCase();
      expect({ code, message }).toEqual({
        code: 'unsupported_proxy',
        message: `ALL_PROXY names a proxy with the scheme ${scheme}, which payctl cannot use`,
      });
    },
  );

  it.each([
    'http://',
    'http://proxy:99999',
    'http://proxy:0',
    'http://proxy:port',
    'http://proxy/path',
    'http://proxy?x',
    'http://proxy#x',
    'not a proxy',
    '://proxy',
    'http:\\\\proxy',
  ])('is malformed: %s', (text) => {
    expect(refused(() => parseProxy(text, 'HTTPS_PROXY'))).toMatchObject({
      code: 'invalid_proxy',
      message: `HTTPS_PROXY is ${JSON.stringify(text)}, which is not the address of a proxy`,
      hint: 'Use a URL such as http://proxy.example.com:3128.',
    });
  });

  it.each([
    'http://user:se#cret@proxy:3128',
    'http://user:12?cret@proxy:3128',
    'http://user:se/cret@proxy:3128',
    'http://user:se%zzcret@proxy:3128',
    'http://user:se cret@proxy',
  ])('that may hold a password is not shown: %s', (text) => {
    const { code, message, hint } = refused(() => parseProxy(text, 'HTTPS_PROXY'));
    expect({ code, message }).toEqual({
      code: 'invalid_proxy',
      message: 'HTTPS_PROXY does not contain the address of a proxy',
    });
    expect(hint).toContain('percent-encoded');
  });

  it('takes no credentials from a flag or a profile, and does not repeat them', () => {
    const { code, message } = refused(() => parsePlainProxy('http://user:secret@proxy:3128', '--proxy'));
    expect({ code, message }).toEqual({
      code: 'proxy_credentials_refused',
      message: '--proxy contains an @, so it may contain a password',
    });
    expect(parsePlainProxy('proxy:3128', '--proxy')).toEqual({ url: 'http://proxy:3128' });
  });

  it('never shows a password, whatever it is', () => {
    const text = fc.string({ minLength: 8, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(text, text, (password, rest) => {
        const given = `http://user:${password}@${rest}`;
        try {
          const { url } = parseProxy(given, 'HTTPS_PROXY');
          expect(url).toMatch(/^http:\/\/[^@]+$/);
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          expect(error.message).toBe('HTTPS_PROXY does not contain the address of a proxy');
        }
      }),
    );
  });
});

describe('NO_PROXY', () => {
  const excluded = (noProxy: string, host: string, port = 443) => findExclusion(noProxy, { host, port });

  it.each([
    ['example.com', 'example.com'],
    ['example.com', 'api.example.com'],
    ['example.com', 'a.b.example.com'],
    ['.example.com', 'api.example.com'],
    ['.example.com', 'example.com'],
    ['*.example.com', 'api.example.com'],
    ['EXAMPLE.com', 'api.Example.COM'],
    ['example.com.', 'api.example.com'],
    ['example.com', 'api.example.com.'],
    ['*', 'anything.invalid'],
    ['example.com:443', 'api.example.com'],
    ['10.0.0.1', '10.0.0.1'],
    ['10.0.0.0/8', '10.200.3.4'],
    ['10.0.0.1/32', '10.0.0.1'],
    ['0.0.0.0/0', '8.8.8.8'],
    ['::1', '[::1]'],
    ['[::1]', '::1'],
    ['[::1]:443', '[::1]'],
    ['fd00::/8', '[fd12:3456::1]'],
    ['2001:DB8::1', '[2001:db8:0::1]'],
  ])('%s excludes %s', (noProxy, host) => {
    expect(excluded(noProxy, host)).toBe(noProxy);
  });

  it.each([
    ['', 'example.com'],
    ['ample.com', 'example.com'],
    ['example.com', 'example.com.evil.invalid'],
    ['api.example.com', 'example.com'],
    ['example.com:8443', 'api.example.com'],
    ['10.0.0.0/8', '11.0.0.1'],
    ['10.0.0.0/33', '10.0.0.1'],
    ['10.0.0.0/x', '10.0.0.1'],
    ['10.0.0.0/8/8', '10.0.0.1'],
    ['10.0.0.0/8', '10.example.com'],
    ['0.0.1', '10.0.0.1'],
    ['fd00::/8', '[fe80::1]'],
    ['fd00::/129', '[fd00::1]'],
    ['.', 'example.com'],
    ['http://example.com', 'example.com'],
  ])('%s does not exclude %s', (noProxy, host) => {
    expect(excluded(noProxy, host)).toBeUndefined();
  });

  it('is a list with commas or blanks, and names the entry', () => {
    expect(excluded('localhost, 127.0.0.1,example.com other.test', 'api.example.com')).toBe('example.com');
    expect(excluded('a\tb\n example.com', 'example.com')).toBe('example.com');
    expect(excluded(',, ,', 'example.com')).toBeUndefined();
  });

  it('excludes a domain, each of its subdomains, and nothing that only ends like it', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), label, (labels, other) => {
        const domain = labels.join('.');
        for (const entry of [domain, `.${domain}`, `*.${domain}`, `${domain}:443`, domain.toUpperCase()]) {
          expect(excluded(entry, domain)).toBe(entry);
          expect(excluded(entry, `${other}.${domain}`)).toBe(entry);
          expect(excluded(entry, `${other}${domain}`)).toBeUndefined();
          expect(excluded(entry, `${domain}.${other}`)).toBe(
            `${domain}.${other}`.endsWith(`.${domain}`) ? entry : undefined,
          );
        }
      }),
    );
  });

  it('excludes an IPv4 address exactly if it has the bits of the network', () => {
    const byte = fc.nat(255);
    fc.assert(
      fc.property(
        fc.tuple(byte, byte, byte, byte),
        fc.tuple(byte, byte, byte, byte),
        fc.nat(32),
        (a, b, bits) => {
          const number = (bytes: number[]) => bytes.reduce((sum, next) => sum * 256 + next, 0);
          const size = 2 ** (32 - bits);
          const isWithin = Math.floor(number(a) / size) === Math.floor(number(b) / size);
          const entry = `${b.join('.')}/${bits}`;
          expect(excluded(entry, a.join('.'))).toBe(isWithin ? entry : undefined);
        },
      ),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.oneof(
          fc.domain(),
          fc.ipV4(),
          fc.ipV6().map((ip) => `[${ip}]`),
        ),
        (text, host) => {
          const found = excluded(text, host);
          expect(found === undefined || text.includes(found)).toBe(true);
        },
      ),
    );
  });
});
