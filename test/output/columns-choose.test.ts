import { describe, expect, it } from 'vitest';
import BuyersList from '../../src/commands/buyers/list.ts';
import { chooseColumns } from '../../src/output/columns.ts';

const { columns } = BuyersList;

describe('chooseColumns', () => {
  it('takes the columns of the resource with their headers and widths, in the order asked for', () => {
    const [name, id] = [columns[0], columns.at(-1)];
    expect(chooseColumns(['display_name', 'id'], columns)).toEqual([name, id]);
  });

  it('makes columns of any other path', () => {
    expect(chooseColumns(['billing_details.tax_id.value', 'x'], columns)).toEqual([
      { path: 'billing_details.tax_id.value', header: 'BILLING DETAILS.TAX ID.VALUE' },
      { path: 'x', header: 'X' },
    ]);
  });
});
