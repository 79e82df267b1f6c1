import { describe, expect, it } from 'vitest';
import { maskForm, redactForm } from '../../../src/cli/secrets/form-text.ts';
import { encodeForm } from '../../../src/descriptions/form-body.ts';

describe('a form that is shown', () => {
  it.each([
    ['card[cvc]=123&amount=1', 'card[cvc]=********&amount=1'],
    ['card%5Bcvc%5D=123', 'card%5Bcvc%5D=********'],
    ['client+secret=x&client%5Fsecret=y', 'client+secret=********&client%5Fsecret=********'],
    ['a[password][0]=x', 'a[password][0]=********'],
    ['note=a+b&%zz=1&flag', 'note=a+b&%zz=1&flag'],
    ['raw=%7B%22a%22%3A1%7D', 'raw=%7B%22a%22%3A1%7D'],
    ['raw=%5Bbroken', 'raw=%5Bbroken'],
  ])('has its secrets masked, however their keys are written: %s', (form, shown) => {
    expect(maskForm(form)).toBe(shown);
  });

  it('has the secrets of documents in it masked', () => {
    const form = encodeForm({ raw: { deep: [{ api_key: 's3cret' }] }, a: 1 }, { raw: 'json' });
    expect(maskForm(form)).toBe('raw=********&a=1');
  });

  it('has no text in a trace, and no number that may be one of a card, an account or a telephone', () => {
    expect(redactForm('amount=12345678&on=true&price=-1.50&none=')).toBe(
      'amount=12345678&on=true&price=-1.50&none=',
    );
    for (const text of ['378282246310005', '5551234567', '123456789', 'x', '1e2', '+49', '1.123456789']) {
      expect(redactForm(`a=${encodeURIComponent(text)}`)).toBe('a=********');
    }
    expect(redactForm('home.phone=5551234&a.b=1')).toBe('home.phone=********&a.b=1');
    expect(redactForm('card%5Bcvc%5D=123&home[phone]=5551234')).toBe(
      'card%5Bcvc%5D=********&home[phone]=********',
    );
  });
});
