import { describe, expect, it } from 'vitest';
import { document, type Json } from '../../descriptions/describe.ts';
import { importedHome, runImported } from './run-imported.ts';

const text = { type: 'string' };
const card = {
  type: 'object',
  required: ['kind', 'number'],
  properties: { kind: { const: 'card' }, number: text },
};
const bank = {
  type: 'object',
  required: ['kind', 'iban'],
  properties: { kind: { const: 'bank' }, iban: text },
};

function withBody(schema: Json): Json {
  const requestBody = { content: { 'application/json': { schema } } };
  return document({ '/payments': { post: { requestBody, responses: { 204: { description: 'D' } } } } });
}

const payment = {
  type: 'object',
  required: ['amount', 'currency'],
  properties: {
    amount: { type: 'integer' },
    currency: text,
    lines: { type: 'array', items: { type: 'object', required: ['name'], properties: { name: text } } },
  },
};
const closed = { ...payment, additionalProperties: false };
const union = { oneOf: [card, bank] };
const paid = { ...payment, properties: { ...payment.properties, method: union }, required: ['method'] };

describe('a misspelt member of a body', () => {
  it.each<readonly [Json, readonly string[], string]>([
    [
      payment,
      ['amout=12', 'currency=EUR'],
      '/amout is not in the description (did you mean amount?); /amount is required',
    ],
    [
      closed,
      ['amout=12', 'currency=EUR'],
      '/amout is not in the description (did you mean amount?); /amount is required',
    ],
    [
      payment,
      ['amount=12', 'currency=EUR', 'lines[0].nmae=x'],
      '/lines/0/nmae is not in the description (did you mean name?); /lines/0/name is required',
    ],
    [
      union,
      ['kind=card', 'numbr=4111'],
      '/numbr is not in the description (did you mean number?); /number is required (as card)',
    ],
    [
      union,
      ['knd=card', 'number=4111'],
      '/knd is not in the description (did you mean kind?); /kind is required: one of card, bank',
    ],
    [
      paid,
      ['method.kind=bank', 'method.ibna=DE1'],
      '/method/ibna is not in the description (did you mean iban?); /method/iban is required (as bank)',
    ],
    [payment, ['currency=EUR', 'colour=red'], '/amount is required'],
  ])('is named before what follows from it: %j %j', async (schema, fields, problems) => {
    const argv = ['payments', 'create', ...fields.flatMap((field) => ['-F', field])];
    expect(await runImported(argv, importedHome(withBody(schema)))).toEqual({
      stdout: '',
      stderr: `Error: The request body is not valid: ${problems} (bad_body)\nNothing was sent. --no-validate sends it anyway. To see what the body can hold: payctl api show POST /payments\n`,
      code: 2,
      sent: [],
    });
  });

  it("is named in a body of payctl's own contract, too", async () => {
    const id = 'fe26475d-ec3e-4884-9553-f7356683f7f9';
    const argv = ['buyers', 'shipping-details', 'create', id, '--data', '{"first_nam":"A","last_name":7}'];
    const { home } = importedHome({});
    expect(await runImported(argv, { home, file: undefined })).toEqual({
      stdout: '',
      stderr:
        'Error: The request body is not valid: /first_nam is not in the contract (did you mean first_name?); /last_name must be a string, not a number (bad_body)\nNothing was sent. Once the body is valid, --dry-run shows the request.\n',
      code: 2,
      sent: [],
    });
  });
});
