import { expect, it } from 'vitest';
import { quote } from '../../src/text/format.ts';

const NAME = 'x'.repeat(90);

it.each([
  `/home/ada/${NAME}/profiles.json`,
  `copy/${NAME}/part-000001.ndjson`,
  `C:\\Users\\${NAME}\\a.json`,
  `~/${NAME}`,
])('keeps a path whole, because its end names the file: %s', (path) => {
  expect(JSON.parse(quote(path))).toBe(path);
});

it.each([NAME, `https://api.example.com/${NAME}`, `^\\d{2}/${NAME}$`])(
  'cuts other long values: %s',
  (value) => {
    expect(quote(value)).toBe(`${JSON.stringify(value.slice(0, 80)).slice(0, -1)}..."`);
  },
);
