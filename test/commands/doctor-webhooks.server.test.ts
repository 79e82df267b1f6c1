import { expect, it } from 'vitest';
import { freshDirectory } from '../config/config-directory.ts';
import { startServer } from '../harness/http-server.ts';
import { runInProcess } from './run-in-process.ts';

it('doctor --webhooks checks a receiver without credentials or a service', async () => {
  const server = await startServer((_, response) => response.writeHead(200).end());
  const env = { PAYCTL_CONFIG_DIR: freshDirectory(), PAYCTL_WEBHOOK_SECRET: 'k9-marked-secret' };
  const doctor = (...args: string[]) => runInProcess(['doctor', ...args], { env });
  const url = `${server.origin}/hooks`;
  try {
    expect(await doctor('--webhooks', url)).toEqual({
      stdout: [
        'STATE\tCHECK\tFOUND\tREMEDY',
        'pass\tconfiguration\tno profiles yet\t',
        'fail\twebhooks\tthe receiver accepts events with a wrong signature: anybody can forge events\tCheck the signature of each delivery, and respond with 401 if it is not correct.',
        '',
      ].join('\n'),
      stderr: '1 problem.\n',
      code: 6,
    });
    expect(server.requests).toHaveLength(5);
  } finally {
    await server.close();
  }
  expect(await doctor('--webhooks', url)).toMatchObject({
    stdout: expect.stringContaining(
      'the receiver does not respond: the connection was refused (ECONNREFUSED)',
    ),
    code: 9,
  });
  expect(await doctor('--webhooks', url, '--header-prefix', 'nothing')).toMatchObject({
    stdout: expect.stringMatching(/^fail\tsettings\t--header-prefix is "nothing"/m),
    code: 2,
  });
  expect(await doctor('--webhooks', 'ftp://x')).toMatchObject({ stdout: '', code: 2 });
  expect(await doctor('--secret', '@x')).toMatchObject({ stdout: '', code: 2 });
});
