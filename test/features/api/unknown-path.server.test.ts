import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { document } from '../../descriptions/describe.ts';
import { importedForAll, runImported } from './run-imported.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const KEY = { PAYCTL_TOKEN: '', PAYCTL_PRIVATE_KEY: pem };
const EMULATOR = { PAYCTL_BASE_URL: '', PAYCTL_TOKEN: '' };

const done = { responses: { 204: { description: 'Done' } } };
const described = importedForAll(
  document({
    '/transactions': { get: done, post: done },
    '/transactions/{id}': { get: done },
    '/transactions/{id}/capture': { post: done },
  }),
);

const SCOPE = 'Nothing was sent. To send it anyway, add the scope to sign a token with: --scope NAME';

const CASES: readonly (readonly [readonly string[], string, string])[] = [
  [['get', '/transactionz'], 'no operation with the path "/transactionz"', 'Did you mean /transactions? '],
  [
    ['get', '/transactionz?a=b'],
    'no operation with the path "/transactionz"',
    'Did you mean /transactions? ',
  ],
  [
    ['post', '/transactions/a936dacc-4199-4f09-b12b-2462586e7a7b/captur'],
    'no operation with the path "/transactions/a936dacc-4199-4f09-b12b-2462586e7a7b/captur"',
    'Did you mean /transactions/a936dacc-4199-4f09-b12b-2462586e7a7b/capture? ',
  ],
  [['get', '/buyrs'], 'no operation with the path "/buyrs"', 'Did you mean /buyers? '],
  [['delete', '/transactions'], 'no DELETE for the path "/transactions"', 'It has GET, POST. '],
  [['get', '/x'], 'no operation with the path "/x"', ''],
];

describe('a path that the description does not have', () => {
  it.each(CASES)('is named where a key would sign for it: api %j', async (words, problem, hint) => {
    const refused = {
      stdout: '',
      stderr: `Error: The API description has ${problem} (unknown_path)\n${hint}${SCOPE}\n`,
      code: 2,
      sent: [],
    };
    const home = described;
    expect(await runImported(['api', ...words, '-q'], home, { env: KEY })).toEqual(refused);
    const emulated = ['api', ...words, '--profile', 'emulator'];
    expect(await runImported(emulated, home, { env: EMULATOR })).toEqual(refused);
    if (words[0] === 'get') return;
    expect(await runImported(['api', ...words, '-q', '--dry-run'], home, { env: KEY })).toEqual(refused);
  });

  it('is sent with a scope, and with a token', async () => {
    const home = described;
    const script = [{ body: {} }];
    const sent = [['GET', '/transactionz']];
    const scoped = ['api', 'get', '/transactionz', '--scope', 'x.read', '-q'];
    expect(await runImported(scoped, home, { env: KEY, script })).toMatchObject({ code: 0, sent });
    expect(await runImported(['api', 'get', '/transactionz'], home, { script })).toMatchObject({
      code: 0,
      sent,
    });
  });

  it('is compared with the contract of payctl where nothing was imported', async () => {
    const { home } = described;
    expect(
      await runImported(['api', 'get', '/buyerz', '-q'], { home, file: undefined }, { env: KEY }),
    ).toEqual({
      stdout: '',
      stderr: `Error: The contract of payctl has no operation with the path "/buyerz" (unknown_path)\nDid you mean /buyers? Nothing was sent. Import the API description that has it, or add the scope to sign a token with: --scope NAME\nTry: payctl api import FILE\n`,
      code: 2,
      sent: [],
    });
  });
});
