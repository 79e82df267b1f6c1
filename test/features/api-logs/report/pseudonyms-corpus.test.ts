import { describe, expect, it } from 'vitest';
import { decodeFully } from '../../../../src/features/api-logs/report/addresses.ts';
import { Pseudonyms } from '../../../../src/features/api-logs/report/pseudonyms.ts';
import { READABLE, READABLE_URLS, SENSITIVE, type Shape } from './corpus.ts';

function mask(shape: Shape, input: unknown): unknown {
  const pseudonyms = new Pseudonyms();
  return shape === 'json' ? pseudonyms.value(input) : pseudonyms[shape](String(input));
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

describe('the corpus of what a report holds', () => {
  it('has at least 150 entries of each kind', () => {
    expect(SENSITIVE.length).toBeGreaterThanOrEqual(150);
    expect(READABLE.length + READABLE_URLS.length).toBeGreaterThanOrEqual(150);
  });

  it('is masked without a miss', { tags: 'slow' }, () => {
    const misses = SENSITIVE.flatMap(([shape, input, ...hidden]) => {
      expect(hidden.every((part) => decodeFully(textOf(input)).includes(decodeFully(part)))).toBe(true);
      const masked = textOf(mask(shape, input));
      const shown = hidden.filter((part) => masked.includes(part) || decodeFully(masked).includes(part));
      return shown.length > 0 ? [`${textOf(input)} => ${masked}`] : [];
    });
    expect(misses).toEqual([]);
  });

  it('is readable without a false alarm', () => {
    const alarms = READABLE.flatMap(([shape, input]) => {
      const [given, masked] = [textOf(input), textOf(mask(shape, input))];
      return masked === given ? [] : [`${given} => ${masked}`];
    });
    const addresses = READABLE_URLS.map((address) => [address, String(mask('url', `https://${address}`))]);
    const changed = addresses.filter(([given, masked]) => given !== masked);
    expect([...alarms, ...changed.map((pair) => pair.join(' => '))]).toEqual([]);
  });
});
