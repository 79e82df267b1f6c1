import { beforeAll, describe, expect, it } from 'vitest';
import { insertBuyer, type StoredBuyer, updateBuyer } from '../../../src/emulator/resources/buyers.ts';
import { faultsOf } from '../../contract/schema-validator.ts';
import { emulatorForAll } from '../test-emulator.ts';

const full = ['buyers.read', 'buyers.billing-details.read'];

function buyer(number: number, fields: Partial<StoredBuyer> = {}): StoredBuyer {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    reconciliation_id: null,
    merchant_account_id: 'default',
    created_at: `2026-01-01T00:00:${String(number).padStart(2, '0')}.000+00:00`,
    updated_at: '2026-02-01T00:00:00.000+00:00',
    type: 'buyer',
    display_name: `Buyer ${number}`,
    external_identifier: `ext-${number}`,
    billing_details: null,
    account_number: null,
    ...fields,
  };
}

const detailed = buyer(3, {
  display_name: '100% ÉCLAIR_Größe',
  billing_details: {
    first_name: 'Zoé',
    last_name: null,
    email_address: 'zoe@example.com',
    phone_number: '+33639980001',
    address: { city: 'Paris', country: 'FR', line1: '1 rue A', line2: null },
    tax_id: { value: 'FR123', kind: 'eu.vat' },
  },
});

describe('GET /buyers', () => {
  const test = emulatorForAll({ buyers: 0 });
  const names = async (query: string, account?: string) => {
    const headers: Record<string, string> =
      account === undefined ? {} : { 'x-service-merchant-account-id': account };
    const { body } = await test.send(`/buyers${query}`, { headers });
    return (body.items as StoredBuyer[]).map((item) => item.display_name);
  };

  beforeAll(async () => {
    const { database } = test.emulator;
    insertBuyer(database, buyer(1));
    insertBuyer(database, buyer(2, { display_name: null, external_identifier: 'Ο-ΔΡΟΜΟΣ' }));
    insertBuyer(database, detailed);
    insertBuyer(database, buyer(4, { display_name: 'ＦＵＬＬ wïdth', external_identifier: null }));
    insertBuyer(database, buyer(5, { display_name: 'Outlet only', merchant_account_id: 'outlet' }));
  });

  it('answers with the envelope in the order of the specification, newest buyer first', async () => {
    const { status, body } = await test.send('/buyers');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['items', 'limit', 'next_cursor', 'previous_cursor']);
    expect(faultsOf('BuyerPage', body)).toEqual([]);
    expect(body).toMatchObject({ limit: 20, next_cursor: null, previous_cursor: null });
    expect((body.items as StoredBuyer[]).map((item) => item.id.at(-1))).toEqual(['4', '3', '2', '1']);
  });

  it('shows whole buyers, fields in stored order, to a token that may read billing details', async () => {
    const { body } = await test.send('/buyers?external_identifier=ext-3', { scopes: full });
    expect(JSON.stringify(body.items)).toBe(JSON.stringify([detailed]));
  });

  it('masks the texts of billing details, and nothing else, for any other token', async () => {
    const { body } = await test.send('/buyers?external_identifier=ext-3');
    const masked = {
      first_name: '*****',
      last_name: null,
      email_address: '*****',
      phone_number: '*****',
      address: { city: '*****', country: '*****', line1: '*****', line2: null },
      tax_id: { value: '*****', kind: 'eu.vat' },
    };
    expect(body.items).toEqual([{ ...detailed, billing_details: masked }]);
  });

  it('shows billing details to a wildcard scope', async () => {
    const { body } = await test.send('/buyers?external_identifier=ext-3', { scopes: ['*.read'] });
    expect(body.items).toEqual([detailed]);
  });

  it.each([
    ['éclair', ['100% ÉCLAIR_Größe']],
    ['GRÖSSE', ['100% ÉCLAIR_Größe']],
    ['EXT-1', ['Buyer 1']],
    ['full W', ['ＦＵＬＬ wïdth']],
    ['δρομος', [null]],
    ['100%', ['100% ÉCLAIR_Größe']],
    ['%', ['100% ÉCLAIR_Größe']],
    ['_', ['100% ÉCLAIR_Größe']],
    ['1\next', []],
    ['', ['ＦＵＬＬ wïdth', '100% ÉCLAIR_Größe', null, 'Buyer 1']],
    ['zoe', []],
  ])('finds the text %j in names and external identifiers alone, without case', async (search, found) => {
    expect(await names(`?search=${encodeURIComponent(search)}`)).toEqual(found);
  });

  it('takes the external identifier exactly', async () => {
    expect(await names('?external_identifier=ext-1')).toEqual(['Buyer 1']);
    expect(await names('?external_identifier=EXT-1')).toEqual([]);
    expect(await names('?external_identifier=')).toEqual([]);
    expect(await names('?external_identifier=ext-1&search=nobody')).toEqual([]);
  });

  it('shows one merchant account at a time, `default` without the header', async () => {
    expect(await names('', 'outlet')).toEqual(['Outlet only']);
    expect(await names('?search=outlet')).toEqual([]);
  });

  it('answers 404 for a merchant account that does not exist', async () => {
    const { status, body } = await test.send('/buyers', {
      headers: { 'x-service-merchant-account-id': 'nobody' },
    });
    expect(status).toBe(404);
    expect(body).toEqual({
      type: 'error',
      code: 'not_found',
      status: 404,
      message: 'The resource could not be found',
      details: [],
    });
  });

  it('shows a buyer that was added or changed since the same request was answered before', async () => {
    expect(await names('?search=new')).toEqual([]);
    const { database } = test.emulator;
    insertBuyer(database, buyer(6, { display_name: 'New', merchant_account_id: 'outlet' }));
    expect(await names('?search=new', 'outlet')).toEqual(['New']);
    expect(updateBuyer(database, buyer(6, { display_name: 'Newer', merchant_account_id: 'outlet' }))).toBe(
      true,
    );
    expect(await names('?search=new', 'outlet')).toEqual(['Newer']);
    expect(updateBuyer(database, buyer(7))).toBe(false);
  });
});
