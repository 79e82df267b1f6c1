import { describe, expect, it } from 'vitest';
import { bindSecret, readBoundSecret } from '../../src/credentials/bound-secret.ts';

describe('a stored secret', () => {
  it('names the origin that it is for', () => {
    const text = bindSecret('line 1\nline 2\n', 'https://api.example.invalid');
    expect(text).toBe('payctl secret for https://api.example.invalid\nline 1\nline 2\n');
    expect(readBoundSecret(text)).toEqual({
      origin: 'https://api.example.invalid',
      secret: 'line 1\nline 2\n',
    });
  });

  it.each([
    'secret',
    '',
    'payctl secret for https://api.example.invalid',
    'payctl secret for \nsecret',
    'payctl secret for a b\nsecret',
    'first line\npayctl secret for https://other.invalid\nsecret',
    ' payctl secret for https://other.invalid\nsecret',
  ])('names none in any other text, which stays whole: %j', (text) => {
    expect(readBoundSecret(text)).toEqual({ secret: text });
  });
});
