import { describe, expect, it } from 'vitest';
import { serve } from '../../client/live-client.ts';
import { document } from '../../descriptions/describe.ts';
import { importedForAll, runImported } from './run-imported.ts';

const described = importedForAll(document({ '/known': { get: { responses: {} } } }));
const linked = (body: string, link: string) => ({ body, headers: { link } });
const SECOND = '/things?page=2&q=a%2Cb';
const pages = [linked('[{"id":1},{"id":2}]', `<${SECOND}>; rel="next"`), { body: '[{"id":3}]' }];
const run = ['api', 'get', '/things?q=a'];
const sent = [
  ['GET', '/things?q=a'],
  ['GET', SECOND],
];

describe('a list that no description names, with links from page to page', () => {
  it.each([
    ['ndjson', '{"id":1}\n{"id":2}\n{"id":3}\n'],
    ['csv', 'id\r\n1\r\n2\r\n3\r\n'],
    ['json', '[{"id":1},{"id":2},{"id":3}]\n'],
  ])('is followed to its end with --all as %s', async (format, stdout) => {
    const shown = await runImported([...run, '--all', '-o', format], described, { script: pages });
    expect({ ...shown, stderr: '' }).toEqual({ stdout, stderr: '', code: 0, sent });
  });

  it.each([
    ['json', '[{"id":1},{"id":2}]\n'],
    ['csv', 'id\r\n1\r\n2\r\n'],
  ])('says as %s how to get the next page, which works', async (format, stdout) => {
    const home = described;
    const one = await runImported([...run, '-o', format], home, { script: pages });
    expect(one).toMatchObject({ stdout, code: 0, sent: sent.slice(0, 1) });
    const command = `payctl api get '/things?q=a' -o ${format} --cursor '${SECOND}'`;
    expect(one.stderr).toContain(`For all pages, add --all. Next page: ${command}`);
    const next = await runImported([...run, '-o', format, '--cursor', SECOND], home, {
      script: pages.slice(1),
    });
    expect(next).toMatchObject({ code: 0, sent: sent.slice(1) });
    expect(next.stdout).toContain('3');
  });

  it('ends with an error where a link leads elsewhere, and sends nothing there', async () => {
    const other = await serve((_, reply) => void reply.end('[]'));
    const script = [linked('[{"id":1}]', `<${other.origin}/x>; rel="next"`)];
    const failed = await runImported([...run, '--all', '-o', 'ndjson'], described, { script });
    expect(failed).toMatchObject({ stdout: '{"id":1}\n', code: 9 });
    expect(failed.stderr).toContain('link_refused');
    expect(other.requests).toEqual([]);
  });

  it.each([
    [['-o', 'json'], "payctl api get '/things?q=a' -o json --cursor c2"],
    [['-o', 'yaml'], "payctl api get '/things?q=a' -o yaml --cursor c2"],
    [['--jq', '.items'], "payctl api get '/things?q=a' --jq .items --cursor c2"],
  ])('says how to get the next page where a cursor leads to it: %j', async (flags, command) => {
    const script = [
      { body: '{"items":[{"id":1}],"next_cursor":"c2"}' },
      { body: '{"items":[{"id":2}],"next_cursor":""}' },
    ];
    const home = described;
    const cut = await runImported([...run, ...flags], home, { script });
    expect(cut.code).toBe(0);
    expect(cut.stderr).toContain(`after this one. For all pages, add --all. Next page: ${command}`);
    const end = await runImported([...run, ...flags, '--cursor', 'c2'], home, { script: script.slice(1) });
    expect(end).toMatchObject({ stderr: '', code: 0 });
  });
});
