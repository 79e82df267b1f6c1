import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { omitUnused } from '../../scripts/bundle-plugins.ts';
import { narrowUndici } from '../../scripts/narrow-undici.ts';
import { bundleSource, root } from './bundle-source.ts';

const SOURCE = `import { Pool } from 'undici';
  export async function send(origin, headers) {
    const pool = new Pool(origin);
    const response = await pool.request({ method: 'GET', path: '/', headers });
    const text = await response.body.text();
    await pool.close();
    return { headers: response.headers, text };
  }`;

type Send = (
  origin: string,
  headers: Readonly<Record<string, string>>,
) => Promise<{ headers: Readonly<Record<string, string>>; text: string }>;

const bundle = () => bundleSource(SOURCE, [omitUnused, narrowUndici(root)]);

it('undici in the bundle sends headers, and receives them by their names in lower case', async () => {
  const exports = {} as { send: Send };
  new Function('exports', 'require', (await bundle()).code)(exports, process.getBuiltinModule);
  const server = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain', Constructor: 'a', 'X-Own': 'b' });
    response.end(request.headers.authorization);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { headers, text } = await exports.send(`http://127.0.0.1:${port}`, { Authorization: 'Bearer x' });
  server.close();
  expect(text).toBe('Bearer x');
  expect(Object.entries(headers)).toEqual(
    expect.arrayContaining([
      ['content-type', 'text/plain'],
      ['constructor', 'a'],
      ['x-own', 'b'],
    ]),
  );
});

it('undici in the bundle has one parser, and no index', async () => {
  const names = (await bundle()).moduleIds.map((id) => id.replaceAll('\\', '/').replace(/^.*\/undici\//, ''));
  expect(names.filter((name) => /wasm|milo|parser-h1/.test(name))).toEqual([
    'lib/llhttp/llhttp-wasm.js',
    'lib/llhttp/llhttp_simd-wasm.js',
  ]);
  expect(names).toContain('lib/dispatcher/pool.js');
  expect(names).not.toContain('index.js');
});
