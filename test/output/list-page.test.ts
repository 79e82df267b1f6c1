import { expect, it } from 'vitest';
import { createListPage } from '../../src/output/list-page.ts';

const TEXT = '{"items":[{"id":"b1"},{"id":"b2"},{"id":"b3"}],"next_cursor":"c2"}';
const ITEMS = [{ id: 'b1' }, { id: 'b2' }, { id: 'b3' }];

it('a page gives the items, the text of each and the rest of the envelope', () => {
  const page = createListPage(TEXT, ITEMS);
  expect([page.text, page.items]).toEqual([TEXT, ITEMS]);
  expect(page.texts()).toEqual(['{"id":"b1"}', '{"id":"b2"}', '{"id":"b3"}']);
  expect(page.rest()).toEqual([{ key: 'next_cursor', keyText: '"next_cursor"', valueText: '"c2"' }]);
});

it('a page with fewer items than its text gives the texts of these', () => {
  expect(createListPage(TEXT, ITEMS.slice(0, 2)).texts()).toEqual(['{"id":"b1"}', '{"id":"b2"}']);
});

it('a page keeps the items that are to be kept, and their texts', () => {
  const page = createListPage(TEXT, ITEMS, { kept: [true, false, true] });
  expect(page.items).toEqual([{ id: 'b1' }, { id: 'b3' }]);
  expect(page.texts()).toEqual(['{"id":"b1"}', '{"id":"b3"}']);
  expect(createListPage(TEXT, ITEMS, { kept: [false, false, false] }).texts()).toEqual([]);
});
