import { describe, expect, it } from 'vitest';
import {
  defaultIn,
  firstSentence,
  plainLine,
  plainText,
  shortText,
  withoutMarkup,
} from '../../src/descriptions/plain-text.ts';

describe('withoutMarkup', () => {
  it.each([
    [
      'Must be a <a href="https://x.example/a" target="_blank">routing number</a>.',
      'Must be a routing number.',
    ],
    ['one<br/>two<BR>three', 'one\ntwo\nthree'],
    ['<p>First.</p><ul><li>a</li><li>b</li></ul>', '\nFirst.\n\n\na\n\nb\n\n'],
    ['see [the docs](https://x.example/y "Docs") and ![logo](logo.png)', 'see the docs and logo'],
    ['**Required** for `x`, <code>y</code>', 'Required for `x`, y'],
    ['## Heading\ntext # not one', 'Heading\ntext # not one'],
    ['<https://x.example/a>', 'https://x.example/a'],
    ['a &lt;b&gt; &amp;amp; &quot;c&quot;&nbsp;d', 'a <b> &amp; "c" d'],
    ['cut off <a href="https://x.exa', 'cut off '],
    ['a<!-- note -->b', 'ab'],
    // What only looks like markup stays.
    ['/buyers/<buyer_id> if a < b and c > d', '/buyers/<buyer_id> if a < b and c > d'],
    ['include=["total_count"], a[0](b c), 2 ** 3', 'include=["total_count"], a[0](b c), 2 ** 3'],
    ['plain', 'plain'],
  ])('turns %j into %j', (text, expected) => {
    expect(withoutMarkup(text)).toBe(expected);
  });

  it.each(['<!--', '<a ', '[', '[a](', '**a', '<', '&', '# '])('takes no time for many %j', (part) => {
    expect(withoutMarkup(part.repeat(50_000)).length).toBeLessThanOrEqual(50_000 * part.length);
  });

  it('is done before a text is cut or taken apart', () => {
    const link = `<a href="https://x.example/${'y'.repeat(60)}">here</a>`;
    expect(plainLine(`Look ${link} now.`, 20)).toBe('Look here now.');
    expect(firstSentence(`See ${link}. More.`)).toBe('See here.');
    expect(plainText('one<br><br>two')).toBe('one\n\ntwo');
    expect(plainLine('&lt;b&gt;\u001b[2J')).toBe('<b> [2J');
  });
});

describe('shortText', () => {
  it.each([
    ['How much. Default: all that is left.', 'How much. Default: all that is left.'],
    ['How much. In cents. Defaults to 1.5 of it. More.', 'How much. Defaults to 1.5 of it.'],
    ['By default 10. More.', 'By default 10.'],
    ['How much. By default, it is all.', 'How much. By default, it is all.'],
    ['Filter by time, e.g. 2026-01-01. More.', 'Filter by time, e.g. 2026-01-01.'],
    ['No full stop', 'No full stop'],
    [undefined, ''],
  ])('is the first sentence of %j and what it says of a default', (text, expected) => {
    expect(shortText(text)).toBe(expected);
  });

  it('does not repeat what is said', () => {
    expect(defaultIn('The default is 1.', 'The default is 1. Defaults to 1.')).toBe('');
  });
});
