import type { Envelope } from '../../descriptions/imported-operation.ts';
import { memberAt } from '../../json/is-object.ts';
import { requestWith, saysMore, usable } from './cursor.ts';
import type { Numbering } from './numbering.ts';
import type { Paging } from './paging.ts';

/** IDs of items: the next page begins after the last item of this one. */
export const itemIds: Numbering = {
  cursor: /^(.*)$/s,
  hint: 'Use the ID of the item before the page.',
  leadsOn: () => false,
  // An ID that several items have is that of something else.
  after: ({ facts }) => (facts.areIds ? facts.lastId : undefined),
};

/** Follows a list whose next page begins after the last item, for as long as a member of the page says that more items follow. */
export function followLastItems(envelope: Envelope): Paging {
  return {
    request: requestWith(envelope),
    next({ document }) {
      const more = saysMore(document, envelope) ?? false;
      // Nobody knows what a text or a number says, and the end of the list would be a guess.
      if (typeof more !== 'boolean') return { cursor: undefined, badMember: envelope.hasMore };
      if (!more) return { cursor: null };
      const items = memberAt(document, envelope.items.split('.'));
      // An empty page with more behind it leads nowhere.
      const last: unknown = Array.isArray(items) ? items.at(-1) : undefined;
      const { itemId = 'id' } = envelope;
      return usable(memberAt(last, itemId.split('.')), `${envelope.items}[].${itemId}`);
    },
  };
}
