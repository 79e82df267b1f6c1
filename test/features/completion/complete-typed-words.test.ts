import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTypedWords } from '../../../src/features/completion/complete.ts';
import { anyText } from '../../harness/any-text.ts';
import { SAMPLE_DATA } from './sample-data.ts';

const flags = SAMPLE_DATA.commands['buyers list']?.flags ?? [];
const read = (...words: string[]) => {
  const { given, args, waiting, flagsEnded } = readTypedWords(words, flags);
  return { given: [...given], args, waiting: waiting?.name, flagsEnded };
};
const nothing = { given: [], args: 0, waiting: undefined, flagsEnded: false };

describe('readTypedWords', () => {
  it.each([
    [[], nothing],
    [['a', '-', ''], { ...nothing, args: 3 }],
    [['--verbose', 'a'], { ...nothing, given: ['verbose'], args: 1 }],
    [['--search', 'a'], { ...nothing, given: ['search'] }],
    [['--search=a', 'b'], { ...nothing, given: ['search'], args: 1 }],
    [['--search=', 'b'], { ...nothing, given: ['search'], args: 1 }],
    [['--search'], { ...nothing, given: ['search'], waiting: 'search' }],
    [['--search', '--output'], { ...nothing, given: ['search'] }],
    [['-o'], { ...nothing, given: ['output'], waiting: 'output' }],
    [['-vo'], { ...nothing, given: ['verbose', 'output'], waiting: 'output' }],
    [['-ov'], { ...nothing, given: ['output'] }],
    [['-vx'], { ...nothing, given: ['verbose'] }],
    [['--nonsense', 'a'], { ...nothing, args: 1 }],
    [['a', '--', '--verbose', 'b'], { ...nothing, args: 3, flagsEnded: true }],
    [['--search', '--', 'b'], { ...nothing, given: ['search'], args: 1 }],
  ])('understands %j', (words, expected) => {
    expect(read(...words)).toEqual(expected);
  });

  it('counts no more arguments than there are words, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(anyText()), (words) => {
        expect(read(...words).args).toBeLessThanOrEqual(words.length);
      }),
    );
  });
});
