import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateContract } from '../../scripts/generate-contract.ts';
import { isStale } from '../../scripts/written-files.ts';

const yaml = readFileSync(new URL('../../openapi/openapi.yaml', import.meta.url), 'utf8');

test('no generated file differs from what the description gives', async () => {
  const files = await generateContract(yaml);
  expect(files.filter(isStale).map(([path]) => path)).toEqual([]);
});

test('a changed description changes the types, the operations and the document', async () => {
  const changed = yaml.replace('- name: search\n', '- name: query\n').replace('account_number:', 'account:');
  const [before, after] = await Promise.all([generateContract(yaml), generateContract(changed)]);
  const differing = after.filter(([, text], index) => text !== before[index]?.[1]).map(([path]) => path);
  expect(differing).toEqual([
    'src/contract/generated/types.ts',
    'src/contract/generated/operations.ts',
    'src/contract/generated/description.json',
  ]);
});

test('a new list without an ID becomes one of the client, named by its path', async () => {
  const changed = yaml.replace('  /roles:\n', '  /api-logs/old-roles:\n');
  const files = await generateContract(changed);
  const [, lists] = files.find(([path]) => path === 'src/client/generated/lists.ts') ?? [];
  expect(lists).toContain(
    "  readonly apiLogs: Lists['listApiLogs'] & {\n    readonly oldRoles: Lists['listRoles'];",
  );
  expect(lists).toContain(
    '    apiLogs: {\n      ...lists.listApiLogs,\n      oldRoles: lists.listRoles,\n    },',
  );
});

test('every generated file says what it comes from', async () => {
  for (const [path, text] of await generateContract(yaml)) {
    expect(text.slice(0, 150), path).toContain(
      'Generated from openapi/openapi.yaml by scripts/generate-contract.ts; do not edit.',
    );
  }
});

test('one type is exported per schema and per query, none of them numbered', async () => {
  const [[, types = ''] = []] = await generateContract(yaml);
  const names = [...types.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
  expect(names).toHaveLength(new Set(names).size);
  expect(names).toContain('Buyer');
  expect(names).toContain('ListBuyersQuery');
  expect(names.filter((name) => /\d$/.test(name ?? ''))).toEqual([]);
});

test('an operation without a successful response is refused by its name', async () => {
  const broken = yaml.replace('        "201":\n', '        "418":\n');
  await expect(generateContract(broken)).rejects.toThrow(
    'openapi.yaml: createShippingDetail has no successful response',
  );
});
