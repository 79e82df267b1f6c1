import { expect, it } from 'vitest';
import { foreignPhrases } from '../../scripts/check-words.ts';

it('names the line of a comment, the phrase and what to write instead', () => {
  const source = 'const a = 1;\n/** What is said of\n * it. */\n// Kept for ever.\n';
  expect(foreignPhrases(source)).toEqual(['2: "said of": about', '4: "for ever": forever, endlessly']);
});

it('reads neither strings nor addresses in them', () => {
  expect(foreignPhrases("const a = 'said of'; const b = 'https://example.com/said of';")).toEqual([]);
});
