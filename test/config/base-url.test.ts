import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLoopback, resolveBaseUrl } from '../../src/config/base-url.ts';
import { UsageError } from '../../src/errors.ts';
import { anyText } from '../harness/any-text.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const EXAMPLE = 'Use an absolute URL such as https://api.example.com or https://api.{id}.example.com.';
const LABEL = 'Use at most 63 letters, digits and hyphens, with no hyphen at either end.';

function refusalOf(template: string, instance?: string) {
  try {
    return resolveBaseUrl(template, instance, '--base-url');
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    const { code, message, hint } = error as UsageError;
    return { code, message, hint };
  }
}

describe('resolveBaseUrl', () => {
  test.each([
    ['https://api.example.com', undefined, 'https://api.example.com'],
    ['https://api.example.com/', undefined, 'https://api.example.com'],
    [' https://api.example.com//\n', undefined, 'https://api.example.com'],
    ['HTTPS://API.Example.com:443/v1/', undefined, 'https://api.example.com/v1'],
    ['https://api.example.com:8443/a/../b', undefined, 'https://api.example.com:8443/b'],
    ['https://api.{id}.example.com', 'acme', 'https://api.acme.example.com'],
    ['https://{id}.example.com/{id}', 'ACME-1', 'https://acme-1.example.com/ACME-1'],
    ['https://api.example.com', 'acme', 'https://api.example.com'],
    ['https://api.example.com', 'not a label', 'https://api.example.com'],
    ['http://127.0.0.1:8080/', undefined, 'http://127.0.0.1:8080'],
    ['http://127.1', undefined, 'http://127.0.0.1'],
    ['http://[::1]:8080', undefined, 'http://[::1]:8080'],
    ['http://localhost:8080/v1', undefined, 'http://localhost:8080/v1'],
  ])('%j with the instance %s is %s', (template, instance, expected) => {
    expect(resolveBaseUrl(template, instance)).toBe(expected);
  });

  test('{id} without an instance is refused with the flag and the variable that give one', () => {
    expect(refusalOf('https://api.{id}.example.com')).toEqual({
      code: 'instance_missing',
      message: '--base-url is "https://api.{id}.example.com", which needs an instance to replace {id}',
      hint: 'Set the instance with --instance or PAYCTL_INSTANCE.',
    });
  });

  test.each(['', 'a.b', 'evil.example/', 'a@b', '-a', 'a-', 'a b', 'ä', 'a'.repeat(64), '{id}', 'a\n'])(
    'the instance %j is refused',
    (instance) => {
      expect(refusalOf('https://api.{id}.example.com', instance)).toEqual({
        code: 'invalid_instance',
        message: `The instance ${JSON.stringify(instance)} cannot be part of a host name`,
        hint: LABEL,
      });
    },
  );

  test.each([
    '',
    'api.example.com',
    '/v1',
    '//api.example.com',
    'https:',
    'https://',
    'https:///',
    'https:api.example.com',
    'https:/api.example.com',
    'https:\\\\api.example.com',
    'https://api.example.com\\v1',
    'https://api.exa\tmple.com',
    'https://api.example.com/a b',
    'https://api.{region}.example.com',
    'https://api.example.com:99999',
    'https://[::1',
    'ftp://api.example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ])('%j is refused', (template) => {
    expect(refusalOf(template)).toEqual({
      code: 'invalid_base_url',
      message: `--base-url is ${JSON.stringify(template)}, which is not an absolute http or https URL`,
      hint: EXAMPLE,
    });
  });

  test('the port 0 is refused by its name', () => {
    expect(refusalOf('http://localhost:0')).toEqual({
      code: 'invalid_base_url',
      message: '--base-url is "http://localhost:0", whose port is 0',
      hint: 'Use the port that the service listens on.',
    });
  });

  test.each([
    'https://user:opensesame@api.example.com',
    'htps://user:opensesame@api',
    'https://u:opensesame@{id}',
    '@',
  ])('a user name or password is refused and not repeated: %s', (template) => {
    expect(refusalOf(template)).toEqual({
      code: 'invalid_base_url',
      message: '--base-url contains an @, so it may contain a password',
      hint: 'Remove the user name and the password.',
    });
  });

  test.each([
    'https://api.example.com/?token=opensesame',
    'https://api.example.com/#x',
    'https://api.example.com?',
  ])('a query or fragment is refused and not repeated: %s', (template) => {
    expect(refusalOf(template)).toEqual({
      code: 'invalid_base_url',
      message: '--base-url has a query or a fragment',
      hint: 'Remove everything from the ? or # onwards.',
    });
  });

  test.each([
    'http://api.example.com',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'http://0.0.0.0',
    'http://128.0.0.1',
    'http://[::ffff:127.0.0.1]',
    'http://10.0.0.1:8080',
  ])('%s is refused, as it would send the token unencrypted', (template) => {
    expect(refusalOf(template)).toEqual({
      code: 'insecure_base_url',
      message: `--base-url is "${template}", which would send the token unencrypted`,
      hint: 'Use https. Plain http is accepted only for 127.0.0.1, [::1] and localhost.',
    });
  });

  test('whatever is given, the result is https or loopback, holds no secret place, and resolves to itself', () => {
    const part = fc.constantFrom(
      'http',
      'https',
      ':',
      '//',
      '/',
      '\\',
      '@',
      '?',
      '#',
      '{id}',
      'api',
      '.example.com',
      '127.0.0.1',
      'localhost',
      '[::1]',
      ':8080',
      '..',
      '%2e',
      '\t',
      'ä',
    );
    // `fc.webUrl()` computes for more than a second before its first value.
    const webUrl = fc
      .tuple(
        fc.constantFrom('http', 'https'),
        fc.domain(),
        fc.option(fc.nat(65_535), { nil: '' }),
        fc.array(anyText(5)),
      )
      .map(([scheme, domain, port, path]) =>
        [
          `${scheme}://${domain}${port === '' ? '' : `:${port}`}`,
          ...path.map((part) => encodeURIComponent(part.toWellFormed())),
        ].join('/'),
      );
    const template = fc.oneof(
      webUrl,
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.array(part, { maxLength: 6 }).map((parts) => `http://${parts.join('')}`),
      anyText(),
    );
    fc.assert(
      fc.property(template, fc.option(fc.string(), { nil: undefined }), (given, instance) => {
        const result = refusalOf(given, instance);
        if (typeof result === 'string') {
          const url = new URL(result);
          expect(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))).toBe(true);
          expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', '']);
          expect(result.endsWith('/')).toBe(false);
          expect(resolveBaseUrl(result)).toBe(result);
        }
      }),
      propertyRuns(2000),
    );
  });
});

describe('isLoopback', () => {
  test.each([
    ['http://127.0.0.1', true],
    ['http://127.255.1.2:80/x', true],
    ['https://localhost', true],
    ['http://LOCALHOST:3000', true],
    ['http://[::1]:3000', true],
    ['http://[0:0:0:0:0:0:0:1]', true],
    ['http://2130706433', true],
    ['http://0x7f.1', true],
    ['http://127.0.0.1.evil.example', false],
    ['http://127.0.0.1@evil.example', false],
    ['http://evil.example#127.0.0.1', false],
    ['http://localhost.evil.example', false],
    ['http://xlocalhost', false],
    ['http://[::2]', false],
    ['http://126.0.0.1', false],
    ['ftp://127.0.0.1', false],
    ['127.0.0.1', false],
    ['', false],
  ])('%s: %s', (url, expected) => {
    expect(isLoopback(url)).toBe(expected);
  });

  test('no domain name in front of a dot and a top-level domain is loopback', () => {
    fc.assert(
      fc.property(fc.domain(), (domain) => {
        expect(isLoopback(`http://127.0.0.1.${domain}`)).toBe(false);
        expect(isLoopback(`http://localhost.${domain}`)).toBe(false);
      }),
    );
  });
});
