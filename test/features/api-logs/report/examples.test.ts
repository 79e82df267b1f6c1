import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../../src/features/api-logs/entry.ts';
import { Examples } from '../../../../src/features/api-logs/report/examples.ts';

const itemOf = (log: object) => ({ entry: readEntry(log), text: JSON.stringify(log) });

describe('the examples of a report', () => {
  it('are the first entry of each group, with the body of its request if it has one', () => {
    const examples = new Examples();
    const group = { count: 1 };
    examples.add(group, itemOf({ id: '1', request_body: { a: 1 }, response_body: 'x' }));
    examples.add(group, itemOf({ id: '2' }));
    expect(examples.of(group)).toMatchObject({ entry: { id: '1', body: 'x' }, requestBody: { a: 1 } });
    expect(examples.of({ count: 1 })).toBeUndefined();
  });

  it('are kept for the largest of very many groups', () => {
    const examples = new Examples();
    const groups = Array.from({ length: 1000 }, (_, index) => ({ count: index + 1 }));
    for (const group of [...groups, ...groups]) examples.add(group, itemOf({ id: String(group.count) }));
    expect(groups.filter((group) => examples.of(group)).map(({ count }) => count)).toEqual(
      groups.slice(-200).map(({ count }) => count),
    );
  });

  it('have room for so much of a body, whatever it is', { tags: 'slow' }, () => {
    const examples = new Examples();
    const wide = Array.from({ length: 100_000 }, (_, index) => ({ index, text: 'x'.repeat(100) }));
    const deep = JSON.parse(`${'['.repeat(3000)}${']'.repeat(3000)}`);
    const bodies = [
      wide,
      deep,
      'y'.repeat(1_000_000),
      { a: 'z'.repeat(20_000), b: 'z'.repeat(50_000), c: 'last' },
    ];
    const kept = bodies.map((body) => {
      const group = { count: 1 };
      examples.add(
        group,
        itemOf({ id: 'i'.repeat(1_000_000), request_url: 'u'.repeat(1_000_000), response_body: body }),
      );
      return examples.of(group);
    });
    for (const example of kept) expect(JSON.stringify(example).length).toBeLessThan(80_000);
    expect(kept[2]?.entry.body).toHaveLength(15_001);
    expect(kept[3]?.entry.body).toMatchObject({ c: 'last' });
  });

  it.each(['4111 1111 1111 1111', 'ada@example.com', '+44 113 496 0000'])(
    'have no part of a long text that ends within %s',
    (secret) => {
      const bodies = Array.from({ length: secret.length }, (_, index) => {
        const examples = new Examples();
        const group = { count: 1 };
        const text = `${'word '.repeat(4000).slice(index + 1)}${' '}${secret} more`;
        examples.add(group, itemOf({ response_body: text.padEnd(30_000, 'x ') }));
        return String(examples.of(group)?.entry.body);
      });
      // Whole, or not at all.
      const parts = bodies.map((body) => body.replaceAll(secret, '').match(/[@\d]/g));
      expect(parts).toEqual(parts.map(() => null));
    },
  );

  it('survive an entry that is not an object', () => {
    const examples = new Examples();
    const group = { count: 1 };
    examples.add(group, { entry: readEntry(null), text: 'null' });
    expect(examples.of(group)?.requestBody).toBeUndefined();
  });
});
