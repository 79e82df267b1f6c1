import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import { LARGEST_PACKAGE, PACKAGED } from '../../scripts/package/npm-contents.ts';
import { HELP_TOPICS } from '../../src/cli/routing/catalog/help-topics.ts';
import { listCommands } from '../../src/cli/routing/route.ts';
import { PAYCTL, useHome } from '../harness/run-payctl.ts';
import { folderForAll } from '../harness/temporary-folder.ts';
import { serveBuyers } from './paged-service.ts';

const root = join(dirname(PAYCTL), '..');
const home = useHome();
const folder = folderForAll();
const project = join(folder, 'project');
const installed = join(project, 'node_modules/payctl');

function run(command: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, npm_config_cache: join(folder, 'npm-cache') };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  expect(status, `${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

beforeAll(() => {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
  // Without its scripts: they would build dist/ again under the feet of the other tests.
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], root);
  const [tarball = ''] = globSync('payctl-*.tgz', { cwd: folder });
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, tarball)], project);
}, 60_000);

describe('the package', () => {
  it('holds what it needs and nothing else', () => {
    const files = globSync(['**/*', '**/.*'], { cwd: installed }).filter((path) =>
      statSync(join(installed, path)).isFile(),
    );
    const names = files.map((path) => path.replaceAll('\\', '/'));
    expect(names.filter((path) => !PACKAGED.test(path))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining([
        'bin/run.js',
        'dist/main.cjs',
        'dist/start.cjs',
        'dist/client.js',
        'dist/help/index.txt',
        'dist/types/client/client.d.ts',
        'share/lnav/payctl-api-logs.json',
      ]),
    );
  });

  it('depends on nothing at run time', () => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(dependencies).toEqual({});
    expect(globSync('node_modules/*', { cwd: project })).toEqual(['node_modules/payctl']);
  });

  it('names no path of the machine that built it', () => {
    const files = globSync('**/*', { cwd: installed }).filter((path) =>
      statSync(join(installed, path)).isFile(),
    );
    const telling = files.filter((path) => {
      const text = readFileSync(join(installed, path), 'utf8');
      return text.includes(`${root}/`) || text.includes(`${homedir()}/`);
    });
    expect(telling).toEqual([]);
  });

  it('is small enough to be installed in passing', () => {
    const files = globSync('**/*', { cwd: installed });
    const sizes = files.map((path) => statSync(join(installed, path))).filter((file) => file.isFile());
    const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
    expect(bytes).toBeLessThan(LARGEST_PACKAGE);
  });
});

describe('the installed command', () => {
  const bin = join(project, 'node_modules/.bin/payctl');

  it('says its version', async () => {
    const result = await home.shell(`${bin} --version`);
    expect(result.stdout).toMatch(/^payctl\/\d+\.\d+\.\d+ /);
    expect(result).toMatchObject({ stderr: '', code: 0 });
  });

  it('lists buyers of the emulator, in every format that has a chunk of its own', async () => {
    const list = `${bin} buyers list --profile emulator --limit 1 -q -o`;
    const json = await home.shell(`${list} json`);
    expect(JSON.parse(json.stdout).items).toHaveLength(1);
    expect(json).toMatchObject({ stderr: '', code: 0 });
    const yaml = await home.shell(`${list} yaml`);
    expect(yaml.stdout).toContain('limit: 1\n');
    const jq = await home.shell(`${list} json --jq .limit`);
    expect(jq).toMatchObject({ stdout: '1\n', code: 0 });
    const help = await home.shell(`${bin} buyers list --help`);
    expect(help.stdout).toMatch(/^List or search buyers\.\n/);
  });
});

describe.skipIf(process.platform === 'win32')('the man pages of the package', () => {
  it('are installed for every command and every topic', () => {
    const prefix = join(folder, 'prefix');
    const [tarball = ''] = globSync('payctl-*.tgz', { cwd: folder });
    run('npm', ['install', '-g', '--offline', '--prefix', prefix, join(folder, tarball)], folder);
    const pages = globSync('man*/*', { cwd: join(prefix, 'share/man') });
    const expected = [
      'man1/payctl.1.gz',
      ...listCommands(join(root, 'src/commands')).map(
        (name) => `man1/payctl-${name.replaceAll(' ', '-')}.1.gz`,
      ),
      ...Object.keys(HELP_TOPICS).map((name) => `man7/payctl-${name}.7.gz`),
    ];
    expect(pages.sort()).toEqual(expected.sort());
    for (const page of pages)
      expect(gunzipSync(readFileSync(join(prefix, 'share/man', page))).toString()).toContain('.SH NAME');
  });
});

describe('the client library of the package', () => {
  const script = `import { ApiError, createClient } from 'payctl/client';
const client = createClient({ baseUrl: process.env.BASE_URL, token: 'secret' });
const names = [];
for await (const buyer of client.buyers.items({ limit: 2 })) names.push(buyer.display_name);
const described = await client.withDescription(
  "openapi: 3.1.0\\ninfo: { title: Payouts, version: '1' }\\n" +
    'paths: { /payouts: { get: { operationId: listPayouts, responses: { 200: { description: All } } } } }',
);
await client.close();
const operations = [...described.operations.keys()];
process.stdout.write(JSON.stringify({ names, operations, isClass: ApiError.prototype instanceof Error }));
`;

  async function expectToRun(file: string): Promise<void> {
    const server = await serveBuyers(3);
    const { PATH } = home.env;
    const result = await home.shell(`${process.execPath} ${basename(file)}`, {
      cwd: dirname(file),
      env: { BASE_URL: server.origin, PATH: PATH ?? '' },
    });
    expect(result).toMatchObject({ stderr: '', code: 0 });
    expect(JSON.parse(result.stdout)).toEqual({
      names: ['Buyer 1', 'Buyer 2', 'Buyer 3'],
      operations: ['listPayouts'],
      isClass: true,
    });
  }

  it('is imported by an ES module, iterates over items and reads a description', async () => {
    writeFileSync(join(project, 'consumer.js'), script);
    await expectToRun(join(project, 'consumer.js'));
  });

  it.each(['esm', 'cjs'] as const)(
    'is bundled with the program of somebody else, as one %s file',
    async (format) => {
      const input = join(project, 'bundled.js');
      const [imports = '', ...statements] = script.split('\n');
      writeFileSync(
        input,
        [imports, 'export async function run() {', ...statements, '}', 'run();'].join('\n'),
      );
      const bundle = await rolldown({
        input,
        platform: 'node',
        onwarn: (warning) => expect.fail(warning.message),
      });
      const file = join(
        mkdtempSync(join(folder, 'elsewhere-')),
        format === 'esm' ? 'program.mjs' : 'program.cjs',
      );
      const { output } = await bundle.write({ file, format, codeSplitting: false });
      const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
      expect(modules.filter((id) => /main\.cjs|[\\/]cli\.cjs/.test(id))).toEqual([]);
      await expectToRun(file);
    },
  );

  it('type-checks in a strict consumer, and refuses what the contract does not know', () => {
    const consumer = `import { ApiError, createClient, type Buyer, type Page } from 'payctl/client';
const client = createClient({ baseUrl: 'https://api.example.com', token: async () => 'token' });
export const page: Page<Buyer> = await client.buyers.list({ search: 'ada', limit: 5 });
export const name: string | null | undefined = page.items[0]?.display_name;
for await (const buyer of client.buyers.items({}, { maxItems: 3, revealPii: true })) {
  const id: string | undefined = buyer.id;
  if (id === '') throw new ApiError('code', 'message', { status: 400, attempts: 1, request: { method: 'GET', path: '/', origin: '' } });
}
// @ts-expect-error: there is no such filter
await client.buyers.list({ serch: 'ada' });
// @ts-expect-error: a token is needed
createClient({ baseUrl: 'https://api.example.com' });
`;
    writeFileSync(join(project, 'consumer.ts'), consumer);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      target: 'es2024',
      noEmit: true,
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
    );
    expect(run(join(root, 'node_modules/.bin/tsc'), ['-p', '.', '--singleThreaded'], project)).toBe('');
  });
});
