import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { answer, document } from '../../descriptions/describe.ts';
import { importedForAll, runImported } from './run-imported.ts';

const REFUSED = {
  stdout: '',
  stderr:
    'Error: The description names no scope for this request, so payctl cannot sign a token for it (scope_needed)\nAdd --scope NAME, or use a token instead of a key.\n',
  code: 2,
  sent: [],
};

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY = {
  PAYCTL_TOKEN: '',
  PAYCTL_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

const described = importedForAll(
  document({
    '/exports': {
      get: { responses: answer({ type: 'object', properties: { name: { type: 'string' } } }) },
      post: { responses: { 204: { description: 'Done' } } },
    },
  }),
);

describe('a description that names no scopes', () => {
  it('is served to the own profile of the emulator', async () => {
    const { home, file } = described;
    const env = { PAYCTL_BASE_URL: '', PAYCTL_TOKEN: '' };
    const argv = ['exports', 'get', '--profile', 'emulator', '-q'];
    const listed = await runImported(argv, { home, file }, { env });
    expect({ code: listed.code, stderr: listed.stderr }).toEqual({ code: 0, stderr: '' });
    const raw = await runImported(['api', 'get', '/exports', ...argv.slice(2)], { home, file }, { env });
    expect({ code: raw.code, stderr: raw.stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.each([[['exports', 'create', '-q']], [['api', 'post', '/exports', '-q']]])(
    'needs --scope where a key signs, also for a request that is only shown: %j',
    async (argv) => {
      const home = described;
      expect(await runImported(argv, home, { env: KEY })).toEqual(REFUSED);
      expect(await runImported([...argv, '--dry-run'], home, { env: KEY })).toEqual(REFUSED);
      const scoped = await runImported([...argv, '--dry-run', '--scope', 'exports.write'], home, {
        env: KEY,
      });
      expect(scoped).toMatchObject({ code: 0, stderr: '', sent: [] });
    },
  );

  it.each([[['exports', 'get']], [['api', 'get', '/exports']]])(
    'is never asked with one scope that hides behind another under read-only: %j',
    async (argv) => {
      const env = { ...KEY, PAYCTL_READ_ONLY: '1' };
      for (const scope of ['exports.write exports.read', 'exports.write,exports.read']) {
        expect(await runImported([...argv, '-q', '--scope', scope], described, { env })).toEqual({
          stdout: '',
          stderr:
            'Error: No token was signed: the scope "exports.write" allows changes, and PAYCTL_READ_ONLY allows only read access (read_only)\nUnset PAYCTL_READ_ONLY to allow changes.\n',
          code: 2,
          sent: [],
        });
      }
      const both = [...argv, '-q', '--scope', 'exports.read, reports.read'];
      expect(await runImported(both, described, { env, script: [{ body: {} }] })).toMatchObject({
        code: 0,
      });
    },
  );

  it.each([{}, { PAYCTL_TOKEN: '' }, { PAYCTL_TOKEN: '', PAYCTL_PRIVATE_KEY_FILE: '/nothing/here' }])(
    'shows a request for a token, and where there are no credentials: %j',
    async (env) => {
      const shown = await runImported(['exports', 'create', '--dry-run'], described, { env });
      expect(shown).toMatchObject({ code: 0, stderr: '', sent: [] });
      expect(shown.stdout).toMatch(/^POST .*\/exports\n/);
    },
  );

  it('says so in words to a person, and gives programs an empty list', async () => {
    const home = described;
    const list = (await runImported(['api', 'list', '--columns', 'id,scopes'], home)).stdout;
    expect(list).toContain('\tnot named\n');
    expect(list).not.toContain('none');
    expect((await runImported(['api', 'list', '-o', 'detail'], home)).stdout).toMatch(/^scopes +not named$/m);
    const words = ['api', 'show', 'exports', 'create'];
    expect((await runImported(words, home)).stdout).toMatch(
      /^Scopes +not in the description; with a key, add --scope$/m,
    );
    expect((await runImported([...words, '-o', 'detail'], home)).stdout).toMatch(/^scopes +not named$/m);
    const scopesOf = async (...argv: readonly string[]) =>
      (await runImported([...argv, '--jq', '.. | .scopes? // empty'], home)).stdout;
    expect(await scopesOf(...words)).toBe('[]\n');
  });
});
