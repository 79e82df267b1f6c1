import { describe, expect, it } from 'vitest';
import { importedForAll, runImported } from './run-imported.ts';

const { home } = importedForAll({});
const put = async (...flags: string[]) =>
  await runImported(
    ['api', 'put', '/checkout/sessions/s-1', '-o', 'json', ...flags],
    { home, file: undefined },
    { script: [{ body: { type: 'checkout-session', id: 's-1' } }] },
  );
const error = (stderr: string) => JSON.parse(stderr.split('\n').at(-2) ?? '').error;

describe("the body of an operation of payctl's own contract", () => {
  it('leaves nulls, dates and members that the contract does not have to the service, with a warning of these', async () => {
    const body = '{"metdata":{},"cart_items":[{"name":null}],"airline":{"issued_at":"tomorrow"}}';
    const { sent, stderr, code } = await put('--data', body);
    expect({ sent, code }).toEqual({ sent: [['PUT', '/checkout/sessions/s-1', body]], code: 0 });
    expect(stderr).toBe(
      '{"warning":{"code":"unknown_member","message":"The request body has the field /metdata, which is not in the contract; it is sent as is. Did you mean metadata?","pointer":"/metdata","did_you_mean":"metadata"}}\n',
    );
  });

  it.each([
    [['--data', 'null'], 'The request body is not valid: the body must be an object, not null'],
    [
      ['--data', '{"metdata":{},"cart_items":[{"quantity":1.0,"name":7}]}'],
      'The request body is not valid: /cart_items/0/quantity must be an integer in digits only, not 1.0; /metdata is not in the contract (did you mean metadata?); /cart_items/0/name must be a string, not a number',
    ],
    [['-F', 'cart_items[0].quantity=two'], 'cart_items[0].quantity must be a whole number, not "two"'],
  ])('refuses %j', async (flags, message) => {
    const { sent, stderr, code } = await put(...flags);
    expect({ sent, code, message: error(stderr).message }).toEqual({ sent: [], code: 2, message });
  });

  it('is checked with --no-validate for integers alone', async () => {
    const sent = await put('--data', '{"metadata":5}', '--no-validate');
    expect(sent.sent).toEqual([['PUT', '/checkout/sessions/s-1', '{"metadata":5}']]);
    const refused = await put('--data', '{"cart_items":[{"quantity":1.0}]}', '--no-validate');
    expect([refused.sent, error(refused.stderr).code]).toEqual([[], 'bad_body']);
  });

  it('has what -F gives as the type that the contract has for it', async () => {
    const { sent } = await put(
      '-F',
      'cart_items[0].name=5',
      '-F',
      'cart_items[0].quantity=2',
      '-F',
      'metadata.a=5',
    );
    expect(sent[0]?.[2]).toBe('{"cart_items":[{"name":"5","quantity":2}],"metadata":{"a":5}}');
  });
});
