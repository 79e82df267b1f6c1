import { describe, expect, it } from 'vitest';
import { isSecretPair, redactForm } from '../../../src/cli/secrets/form-text.ts';

describe('a value of a form', () => {
  it('is a secret by the names of its key, and by those of members of a document in it', () => {
    expect(isSecretPair({ names: ['a', 'password', '0'], text: 'x' })).toBe(true);
    expect(isSecretPair({ names: ['raw'], text: '{"deep":[{"api_key":"s3cret"}]}' })).toBe(true);
    for (const text of ['{"a":1}', '[broken', 'a b'])
      expect(isSecretPair({ names: ['raw'], text })).toBe(false);
  });

  it('has no text in a trace, and no number that may be one of a card, an account or a telephone', () => {
    expect(redactForm('amount=12345678&on=true&price=-1.50&none=')).toBe(
      'amount=12345678&on=true&price=-1.50&none=',
    );
    for (const text of ['378282246310005', '5551234567', '123456789', 'x', '1e2', '+49', '1.123456789']) {
      expect(redactForm(`a=${encodeURIComponent(text)}`)).toBe('a=********');
    }
    expect(redactForm('home.phone=5551234&%zz=1&flag')).toBe('home.phone=********&%zz=1&flag');
    expect(redactForm('card%5Bcvc%5D=123&home[phone]=5551234')).toBe(
      'card%5Bcvc%5D=********&home[phone]=********',
    );
  });
});
