import { describe, expect, it } from 'vitest';
import { Pseudonyms } from '../../../../src/features/api-logs/report/pseudonyms.ts';

const mask = (text: string) => new Pseudonyms().text(text);

/** One of each shape, with the right check digits: they are those of nobody. */
const VALID: readonly (readonly [country: string, ...ids: string[]])[] = [
  ['AR', '20-12345678-6'],
  ['BE', '93.05.18-223.61'],
  ['BE, born before 2000, also on the last day of November', '85073022530', '85113178649', '850730 22530'],
  ['BE, born since 2000', '05121569741'],
  ['BR', '529.982.247-25', '11.444.777/0001-61', '52998224725'],
  ['BR, with a digit twice at the beginning or at the end', '77532788431', '74629776133'],
  ['CA', '046 454 286', '046-454-286'],
  ['CH', '756.1234.5678.97'],
  ['CL', '7.654.321-6', '12345670-K', '1.000.005-k', '24.965.885-5'],
  ['DE, with one digit twice', '86149056371', '20 814 695 796'],
  ['DE, with one digit three times', '20851117933'],
  ['DE, with the check digit 0', '71692035440'],
  ['DK', '070761-4285', '311299-1234'],
  ['ES', '12345678Z', '87654321-x', '00000014 Z'],
  ['ES, of foreigners', 'X7654321J', 'y-1234567-x', 'Z 7654321 H'],
  ['FI, born before 2000', '131052-308T', '131052+308t', '131052-308A'],
  ['FI, born since 2000', '010203A1230', '010203a1241', '311299Y456X'],
  ['FR', '1 85 05 78 006 084 36', '185052A00608436'],
  ['GB', 'AB 12 34 56 C', 'ab123456d'],
  ['HK', 'A123456(3)', 'AB123456(A)'],
  ['IN', 'ABCPE1234F'],
  ['IT', 'RSSMRA85T10A562S', 'rssmra8rtmlarsns'],
  ['KR', '900101-1234567'],
  ['MX', 'GODE561231HDFRRN09'],
  ['NO', '15079025205', '150790 25205'],
  ['PL, also with the century in the month', '85123171435', '02212487053'],
  ['SE', '811218-9876', '19811218-9876', '811218+9876', '20320101-1230'],
  ['TR', '88834326282', '13587813994'],
  ['US', '123-45-6789', '123 45 6789'],
];

/** Numbers that have a shape of those, but belong to nobody. */
const INVALID: readonly (readonly [why: string, ...numbers: string[]])[] = [
  ['the dates of BE have twelve months and 31 days', '85131565988', '85073291259', '85074173563'],
  ['the date of BE comes first', '85139015687'],
  ['BE has the check digits of one of two centuries', '85073068950', '05121569740'],
  ['BR has the first and the second check digit', '11997222620', '07507387741'],
  ['BR gives no number of one digit', '11111111111', '99999999999'],
  ['CA has a check digit', '130 692 545', '130-692-545'],
  ['CL has a check digit', '7.654.321-7', '12345670-1', '24.965.885-K'],
  ['DE repeats exactly one digit', '82674931051', '24036805814', '98581832907'],
  ['DE repeats no digit four times', '44415468396', '10977778036'],
  ['DE does not begin with 0', '07251784967'],
  ['DE has a check digit', '43978613208'],
  ['DK begins with a date', '320199-1235', '151399-1235'],
  ['ES has a check letter', '12345678A', 'X7654321K', 'Z7654321J'],
  ['FI has a check character', '010203A1231', '010203A1240'],
  ['FI begins with a date', '320199A456P'],
  ['IT has a digit', 'RSSMRAURTMLARSNS'],
  ['NO has the first and the second check digit', '15079068710', '15079032551'],
  ['NO begins with a date', '32138638315', '15131999973'],
  ['PL begins with a date', '85133204121'],
  ['SE has a check digit', '19811218-9875', '811318-9876'],
  ['TR has the first and the second check digit', '55514340029', '51311039891'],
  ['TR does not begin with 0', '05879946480'],
];

const each = (table: typeof VALID) =>
  table.flatMap(([name, ...ids]) => ids.map((id): readonly [string, string] => [name, id]));

describe('national identification numbers', () => {
  it.each(each(VALID))('are replaced: %s, %s', (_, id) => {
    expect(mask(`of ${id}, (${id}) or "${id}".`)).toBe(
      'of national-id-1, (national-id-1) or "national-id-1".',
    );
  });

  it.each(each(VALID))('are not looked for in longer words and numbers: %s, %s', (_, id) => {
    const longer = [`xyz${id}`, `_${id}`, `7${id}`, `${id}x`, `${id}_`];
    expect(longer.filter((text) => mask(text).includes('national-id'))).toEqual([]);
  });

  it.each(each(INVALID))('are told from other numbers: %s, not %s', (_, number) => {
    expect(mask(`of ${number}.`)).toBe(`of ${number}.`);
  });
});
