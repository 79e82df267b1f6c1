import { describe, expect, it } from 'vitest';
import { asSentence } from '../../src/text/format.ts';

describe('asSentence', () => {
  it.each([
    ['List disputes', 'List disputes.'],
    ['Lists disputes.', 'Lists disputes.'],
    ['Which one?', 'Which one?'],
    ['An ID (of a buyer)', 'An ID (of a buyer).'],
    ['(An ID.)', '(An ID.)'],
    ['Says "no."', 'Says "no."'],
    ['**Deprecated.**', '**Deprecated.**'],
    ['Set `include=["count"]`', 'Set `include=["count"]`.'],
    ['One of:', 'One of:'],
    ['A text that was cut\u2026', 'A text that was cut\u2026'],
    ['\u4e00\u89a7\u3002', '\u4e00\u89a7\u3002'],
    ['First.\n- an element', 'First.\n- an element'],
    ['', ''],
  ])('gives %j a full stop where it lacks one', (text, sentence) => {
    expect(asSentence(text)).toBe(sentence);
  });
});
