import { describe, expect, it } from 'vitest';
import { BUYER_COLUMNS } from '../../src/cli/catalog/columns.ts';
import { chooseColumns } from '../../src/output/columns.ts';

describe('chooseColumns', () => {
  it('takes the columns of the resource with their headers and widths, in the order asked for', () => {
    const [id, name] = BUYER_COLUMNS;
    expect(chooseColumns(['display_name', 'id'], BUYER_COLUMNS)).toEqual([name, id]);
  });

  it('makes columns of any other path', () => {
    expect(chooseColumns(['billing_details.tax_id.value', 'x'], BUYER_COLUMNS)).toEqual([
      { path: 'billing_details.tax_id.value', header: 'BILLING DETAILS.TAX ID.VALUE' },
      { path: 'x', header: 'X' },
    ]);
  });
});
