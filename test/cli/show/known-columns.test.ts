import { describe, expect, it } from 'vitest';
import { columnRecords, resolveColumns } from '../../../src/cli/show/known-columns.ts';
import ApiLogsList from '../../../src/commands/api-logs/list.ts';
import AuditLogsList from '../../../src/commands/audit-logs/list.ts';
import GiftCardsList from '../../../src/commands/buyers/gift-cards/list.ts';
import BuyersList from '../../../src/commands/buyers/list.ts';
import PaymentMethodsList from '../../../src/commands/payment-methods/list.ts';

const known = ({ columns, operation }: typeof BuyersList) => ({ columns, operation: operation?.id });
const buyers = known(BuyersList);
const pathsOf = (asked: readonly string[], command = BuyersList) =>
  resolveColumns(asked, known(command)).map(({ path }) => path);

describe('resolveColumns', () => {
  it('takes fields of the contract by dotted path, at any depth', () => {
    const asked = ['id', 'billing_details', 'billing_details.address.city', 'reconciliation_id'];
    expect(pathsOf(asked)).toEqual(asked);
    const logs = [
      'response_body.details.0.message',
      'response_body.details.7.message',
      'response_body.detail',
    ];
    expect(pathsOf(logs, ApiLogsList)).toEqual(logs);
  });

  it('takes headers, in any case and spelling, for the columns of the table', () => {
    expect(pathsOf(['NAME', 'external id', 'External-Id'])).toEqual(['display_name', 'external_identifier']);
    const { columns } = PaymentMethodsList;
    expect(resolveColumns(['payment method', 'OWNER'], known(PaymentMethodsList))).toEqual(
      columns.slice(0, 2),
    );
  });

  it('takes the column of the table for an object of its name, however it is written, and the object with a question mark', () => {
    const shown = (asked: readonly string[]) =>
      resolveColumns(asked, known(AuditLogsList)).map(({ path, header, cell }) => [path, header, !!cell]);
    const columns = [
      ['user.name', 'USER', true],
      ['action', 'ACTION', false],
      ['resource.type', 'RESOURCE', true],
    ];
    expect(shown(['user', 'action', 'resource'])).toEqual(columns);
    expect(shown(['USER', 'Action', 'RESOURCE', 'user'])).toEqual(columns);
    expect(shown(['user.name', '?user'])).toEqual([
      ['user.name', 'USER.NAME', false],
      ['user', 'USER', false],
    ]);
  });

  it('takes a column and the field that it is made of, each once', () => {
    const columns = resolveColumns(['PATH', 'request_url', 'HOST', 'path'], known(ApiLogsList));
    expect(columns.map(({ header }) => header)).toEqual(['PATH', 'REQUEST URL', 'HOST']);
  });

  it('shows fields as they were sent', () => {
    const columns = resolveColumns(['last4', 'currency'], known(GiftCardsList));
    expect(columns).toEqual([
      { path: 'last4', header: 'LAST4' },
      { path: 'currency', header: 'CURRENCY' },
    ]);
  });

  it('shows an amount in its currency to people, and its value alone to programs', () => {
    const [column, ...others] = resolveColumns(['balance', 'BALANCE'], known(GiftCardsList));
    expect(others).toEqual([]);
    expect(column).toMatchObject({
      path: 'balance',
      header: 'BALANCE',
      format: 'number',
      parts: ['balance'],
    });
    const cells = [{ balance: 13470, currency: 'GBP' }, { balance: 13470 }, {}].map((item) =>
      column?.cell?.(item),
    );
    expect(cells).toEqual(['134.70 GBP', '13470', '']);
    const [open] = resolveColumns(['?lines.0.unit_amount'], known(GiftCardsList));
    expect(open?.cell?.({ currency: 'JPY', lines: [{ unit_amount: 5 }] })).toBe('5 JPY');
  });

  it('takes any field that is written with a question mark', () => {
    expect(pathsOf(['?new.field', 'id'])).toEqual(['new.field', 'id']);
  });

  it('takes anything below a field without a description', () => {
    const session = { columns: [], operation: 'getCheckoutSession' };
    expect(resolveColumns(['metadata.order.id'], session)).toHaveLength(1);
  });

  it.each([
    ['emial', 'billing_details.email_address'],
    ['address', 'billing_details.address'],
    ['display_nam', 'display_name'],
    ['city', 'billing_details.address.city'],
    ['billing_details.adress.city', 'billing_details.address.city'],
    ['idd', 'id'],
  ])('refuses %s and names %s', (typed, near) => {
    const refusal = (() => {
      try {
        return resolveColumns([typed], buyers);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toMatchObject({
      code: 'unknown_column',
      message: `Unknown column "${typed}"`,
      hint: expect.stringContaining(near),
    });
    expect(refusal).toMatchObject({ hint: expect.stringContaining(`"?${typed}"`) });
  });

  it.each(['', '?', 'x\u001B', 'id.', '.id', 'constructor', '__proto__'])('refuses %j', (typed) => {
    expect(() => resolveColumns([typed], buyers)).toThrow('Unknown column');
  });

  it('knows of records of payctl the columns and what is below them', () => {
    const own = { columns: [{ header: 'CLAIMS', path: 'claims' }] };
    expect(resolveColumns(['claims.sub', 'claims'], own)).toHaveLength(2);
    expect(() => resolveColumns(['header'], own)).toThrow('Unknown column "header"');
  });
});

describe('columnRecords', () => {
  it('lists the columns of the table with their headers, then the other fields', () => {
    const records = columnRecords(known(PaymentMethodsList));
    expect(records.slice(0, 4)).toEqual([
      { column: 'method', header: 'part of PAYMENT METHOD' },
      { column: 'scheme', header: 'part of PAYMENT METHOD' },
      { column: 'label', header: 'part of PAYMENT METHOD' },
      { column: 'buyer.display_name', header: 'OWNER' },
    ]);
    expect(records).toContainEqual({ column: 'fingerprint', header: '' });
    const columns = records.map(({ column }) => column);
    expect(new Set(columns).size).toBe(columns.length);
    expect(pathsOf(columns, PaymentMethodsList)).toEqual(columns);
    expect(columnRecords(known(AuditLogsList)).slice(0, 6)).toEqual([
      { column: 'timestamp', header: 'TIME' },
      { column: 'user.name', header: 'part of USER' },
      { column: 'action', header: 'ACTION' },
      { column: 'resource.type', header: 'part of RESOURCE' },
      { column: 'resource.name', header: 'part of RESOURCE' },
      { column: 'user.email_address', header: 'EMAIL' },
    ]);
  });
});
