import { describe, expect, it } from 'vitest';
import { seededPaymentServices } from '../../../src/emulator/seed/payment-services.ts';
import { faultsOf } from '../../contract/schema-validator.ts';
import { emulatorForAll } from '../test-emulator.ts';

const test = emulatorForAll({ buyers: 0 });

const create = (definition: string, body: string, headers: Record<string, string> = {}) =>
  test.send(`/payment-service-definitions/${definition}/sessions`, {
    method: 'POST',
    scopes: ['transactions.write'],
    body,
    headers,
  });

describe('POST /payment-service-definitions/{payment_service_definition_id}/sessions', () => {
  it('makes a session that depends on the service and the body alone', async () => {
    const { status, body } = await create('acme-bank-redirect', '{"amount":1}');
    expect([status, faultsOf('PaymentServiceSession', body)]).toEqual([200, []]);
    expect(body).toEqual({
      type: 'payment-service-session',
      status: 'succeeded',
      status_code: 200,
      response_body: {
        session_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        redirect_url: 'https://pay.acme.example.com/authorise',
        expires_in: 900,
      },
    });
    expect((await create('acme-bank-redirect', '{"amount":1}')).body).toEqual(body);
    expect((await create('acme-bank-redirect', '{"amount":2}')).body).not.toEqual(body);
    expect((await create('harbour-cards', '{}')).body).toMatchObject({
      status: 'succeeded',
      status_code: 201,
    });
  });

  it.each([
    ['polder-direct-debit', 401, 'invalid_service_configuration'],
    ['tidewater-instalments', 422, 'service_error'],
    ['quarry-vouchers', 503, 'bad_gateway'],
  ])('answers 200 with the failure of %s', async (id, statusCode, code) => {
    const { status, body } = await create(id, '{}');
    const known = seededPaymentServices.find((definition) => definition.id === id);
    expect([status, faultsOf('PaymentServiceSession', body)]).toEqual([200, []]);
    expect(body).toEqual({
      type: 'payment-service-session',
      status: 'failed',
      code,
      status_code: statusCode,
      ...(known?.responseBody ? { response_body: known.responseBody } : {}),
    });
  });

  it('answers 404 for an unknown service, and 400 for one without sessions', async () => {
    expect((await create('nobody-pay', '{}')).status).toBe(404);
    const { status, body } = await create('slate-invoice', '{}');
    expect([status, body.message]).toEqual([
      400,
      'The payment service slate-invoice does not support sessions',
    ]);
  });

  it('takes the merchant account header, and answers 404 for an unknown one', async () => {
    const status = async (account: string) => {
      const headers = { 'x-service-merchant-account-id': account };
      return (await create('lumen-wallet', '{}', headers)).status;
    };
    expect([await status('outlet'), await status('nobody')]).toEqual([200, 404]);
  });

  it('answers 422 for a body that is no JSON object, and 400 for none', async () => {
    const fault = async (text: string) => (await create('lumen-wallet', text)).body.detail;
    expect(await fault('[1]')).toEqual([
      { loc: ['body'], msg: 'must be an object', type: 'object', input: [1], ctx: {} },
    ]);
    expect(await fault('{')).toEqual([
      { loc: ['body'], msg: 'must be valid JSON', type: 'jsondecode', input: null, ctx: {} },
    ]);
    expect((await create('lumen-wallet', '')).status).toBe(400);
  });
});
