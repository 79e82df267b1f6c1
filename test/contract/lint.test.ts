import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lintOpenapi } from '../../scripts/lint-openapi.ts';

const yaml = readFileSync(new URL('../../openapi/openapi.yaml', import.meta.url), 'utf8');

test('nothing is reported for the description', { tags: 'slow' }, async () => {
  expect(await lintOpenapi(yaml)).toEqual([]);
});

test('a reference to nowhere is reported with its place', { tags: 'slow' }, async () => {
  const broken = yaml.replace('#/components/schemas/BuyerPage', '#/components/schemas/Nowhere');
  expect(await lintOpenapi(broken)).toEqual([
    "error #/paths/~1buyers/get/responses/200/content/application~1json/schema Can't resolve $ref (no-unresolved-refs)",
    'warn #/components/schemas/BuyerPage Component: "BuyerPage" is never used. (no-unused-components)',
  ]);
});

test('a remote reference is refused instead of fetched', { tags: 'slow' }, async () => {
  const remote = yaml.replace('"#/components/schemas/BuyerPage"', '"https://service.invalid/buyers.yaml"');
  expect((await lintOpenapi(remote)).join('\n')).toContain(
    'the API description must not refer to other files, but it refers to https://service.invalid/buyers.yaml',
  );
});
