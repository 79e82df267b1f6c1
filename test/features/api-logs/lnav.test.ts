import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fields } from '../../../src/contract/generated/fields.ts';

const path = join(import.meta.dirname, '../../../share/lnav/payctl-api-logs.json');

/** What the test reads of a format of lnav. */
type Format = {
  readonly 'timestamp-field': string;
  readonly 'level-field': string;
  readonly 'line-format': readonly (string | { readonly field: string })[];
  readonly value: Readonly<Record<string, unknown>>;
};

it('the format for lnav names fields of the contract alone, and every field of an entry', () => {
  const { payctl_api_logs: format } = JSON.parse(readFileSync(path, 'utf8')) as { payctl_api_logs: Format };
  const known = fields.listApiLogs ?? [];
  const values = Object.keys(format.value).map((name) => name.replaceAll('/', '.'));
  expect(values.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !name.includes('.') && !values.includes(name))).toEqual([]);
  const used = [
    format['timestamp-field'],
    format['level-field'],
    ...format['line-format'].flatMap((part) => (typeof part === 'string' ? [] : [part.field])),
  ];
  expect(used.filter((name) => name !== '__timestamp__' && !(name in format.value))).toEqual([]);
});
