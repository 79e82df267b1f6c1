import { describe, expect, it } from 'vitest';
import { importDescription } from '../../src/descriptions/import-description.ts';

describe('a file that is no description', () => {
  it.each([
    ['README.md', '# payctl\n\nA tool: with a colon\n- x', 'it looks like Markdown'],
    ['notes', '## Notes\n\ntext: a: b', 'it looks like Markdown'],
    ['index.html', '<!DOCTYPE html>\n<html>', 'it looks like a web page'],
    ['x', '\n <html>', 'it looks like a web page'],
    ['feed.xml', '<?xml version="1.0"?>', 'it looks like XML'],
    ['a.zip', 'PK\u0003\u0004\0\0', 'it looks like a binary file, such as an archive'],
    ['none.yaml', ' \n', 'it looks like an empty file'],
    ['host', 'localhost', 'it is a string, not an object'],
    ['list.yaml', '- a\n- b', 'it is an array, not an object'],
    ['list.json', '[1]', 'it is an array, not an object'],
    ['a.json', '{"a":1}', 'it is a document without the field "openapi"'],
  ])('is named with what it looks like: %s', async (file, text, what) => {
    await expect(importDescription(text, { file })).rejects.toMatchObject({
      code: 'not_a_description',
      message: `${file} is not an API description that payctl can read: ${what}`,
      hint: 'payctl reads OpenAPI 3.0 to 3.2 and Swagger 2.0, as JSON or YAML, such as the openapi.json or openapi.yaml of your service.',
    });
  });

  it.each([
    ['openapi.md', '# A comment of YAML\nopenapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {}'],
    ['d.yaml', '# A comment of YAML\n"openapi": 3.1.0\ninfo: {title: T, version: "1"}\npaths: {}'],
  ])('is none that is one, whatever its name: %s', async (file, text) => {
    expect((await importDescription(text, { file })).index.title).toBe('T');
  });
});
