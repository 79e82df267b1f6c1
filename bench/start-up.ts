/** Start-up: a list of 100 items over https and http, --help, one tab and the prompt of a shell, against the least that does as much, and against peers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { directBuiltins, omitUnused } from '../scripts/bundle-plugins.ts';
import { narrowUndici } from '../scripts/narrow-undici.ts';
import { largeDescription } from '../test/descriptions/large-description.ts';
import { interleave, type Program, type Run, run, timesOf } from './measure.ts';
import { packagePeer, programPeer } from './peers.ts';
import { folder, node, payctl, root } from './programs.ts';
import { report, reportAbsent } from './row.ts';
import { type Service, startService } from './start-service.ts';

const BARE_HTTP = join(root, 'bench', 'bare-http.cjs');

/** Bundles the script on undici as the build bundles payctl, and starts it with a compile cache, as bin/run.js does. */
async function bundleBareUndici(): Promise<string> {
  const bundle = await rolldown({
    input: join(root, 'bench', 'bare-undici.js'),
    platform: 'node',
    plugins: [directBuiltins, omitUnused, narrowUndici(root)],
  });
  const minify = { compress: true, mangle: false, codegen: { removeWhitespace: true } } as const;
  await bundle.write({ file: join(folder, 'bare-undici.cjs'), format: 'cjs', minify });
  const entry = join(folder, 'start-bare-undici.cjs');
  writeFileSync(
    entry,
    `process.getBuiltinModule('node:module').enableCompileCache(${JSON.stringify(join(folder, 'compiled'))});
    require('./bare-undici.cjs');`,
  );
  return entry;
}

function list({ origin, trust }: Service): Program {
  const env = { ...trust, PAYCTL_BASE_URL: origin, PAYCTL_TOKEN: 'opaque' };
  return payctl(['buyers', 'list', '--limit', '100', '-o', 'json'], env);
}

/** Peers for the same GET, as far as they are there and succeed. */
async function listPeers({ origin, trust }: Service): Promise<Record<string, Program>> {
  const url = `${origin}/buyers?limit=100`;
  const env = { ...trust, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
  const curl = programPeer('curl');
  const restish = programPeer('restish');
  const gh = programPeer('gh');
  const sdk = packagePeer('sdk');
  const script = join(root, 'bench', 'bare-sdk.mjs');
  return succeeding({
    ...(curl && {
      [curl.name]: { command: 'curl', args: ['-sSf', '-H', 'authorization: Bearer x', url], env },
    }),
    ...(restish && { [restish.name]: { command: 'restish', args: ['get', url, '-o', 'json'], env } }),
    ...(gh && {
      [gh.name]: {
        command: 'gh',
        args: ['api', url],
        env: { ...env, GH_TOKEN: 'x', GH_ENTERPRISE_TOKEN: 'x' },
      },
    }),
    ...(sdk && { [`a script on ${sdk.name}`]: node([script, sdk.file, origin], env) }),
  });
}

/** The command line of Stripe, which takes another address over http only. */
async function stripeGet({ origin }: Service): Promise<Record<string, Program>> {
  const peer = programPeer('stripe');
  const args = ['get', '/buyers', '-d', 'limit=100', '--api-base', origin, '--api-key', 'sk_test_bench'];
  return succeeding(peer ? { [peer.name]: { command: 'stripe', args, env: { HOME: folder } } } : {});
}

async function succeeding(programs: Record<string, Program>): Promise<Record<string, Program>> {
  const found: Record<string, Program> = {};
  for (const [name, program] of Object.entries(programs)) {
    try {
      await run(program);
      found[name] = program;
    } catch (error) {
      reportAbsent(name, `failed: ${String(error).split('\n')[0]}`);
    }
  }
  return found;
}

/** One row for each of the others, with a bar where there is one. */
function rows(name: string, runs: Record<string, readonly Run[]>, bars: Record<string, number>): void {
  const { payctl: ours = [], ...others } = runs;
  for (const [other, theirs] of Object.entries(others)) {
    const against = { name: other, values: timesOf(theirs) };
    const atMost = bars[other];
    report({ name, unit: 'ms', values: timesOf(ours), against, ...(atMost && { bar: { atMost } }) });
  }
}

const bareUndici = await bundleBareUndici();
const secure = await startService(100, { secure: true });
const overTls = await interleave({
  payctl: list(secure),
  'bare node:https': node([BARE_HTTP, secure.origin], secure.trust),
  'bare undici, bundled': node([bareUndici, secure.origin], secure.trust),
  ...(await listPeers(secure)),
});
rows('`payctl buyers list -o json`, 100 items over https', overTls, {
  'bare node:https': 1.5,
});
secure.stop();

const plain = await startService(100);
const overHttp = await interleave<string>({
  payctl: list(plain),
  'bare node:http': node([BARE_HTTP, plain.origin]),
  ...(await stripeGet(plain)),
});
rows('the same over http', overHttp, { 'bare node:http': 1.55 });
plain.stop();

const helpPeers = ['gh', 'gr4vy', 'restish', 'stripe'].flatMap((name) => {
  const peer = programPeer(name);
  const program: Program = { command: name, args: ['--help'], env: { HOME: folder } };
  return peer ? [[`${peer.name} --help`, program] as const] : [];
});
const NODE = 'node -e 0';
const TABS = {
  'a tab on commands': ['buyers', ''],
  'a tab on flags': ['roles', 'list', '--'],
  'a tab on columns': ['buyers', 'list', '--columns', 'id,'],
  'a tab on flags of an imported command': ['payouts', 'list', '--'],
};
const working = await userWithImport();
const PROMPT = 'the name of the profile in a prompt';
const runs = await interleave<string>({
  payctl: payctl(['--help']),
  [NODE]: node(['-e', '0']),
  ...Object.fromEntries(
    Object.entries(TABS).map(([name, words]) => [name, payctl(['__complete', '--', ...words], working)]),
  ),
  [PROMPT]: payctl(['profiles', 'show', '--jq', '.name'], working),
  ...(await succeeding(Object.fromEntries(helpPeers))),
});
const { [NODE]: empty = [] } = runs;
const help = Object.fromEntries(
  Object.entries(runs).filter(([name]) => name !== PROMPT && !Object.hasOwn(TABS, name)),
);
rows('`payctl --help`', help, { [NODE]: 1.25 });
for (const name of Object.keys(TABS)) {
  // The flags of an imported command are made by the program: nothing keeps them.
  const bar = name.includes('imported') ? {} : { [NODE]: 1.45 };
  rows(`${name}, with an active profile and an import`, { payctl: runs[name] ?? [], [NODE]: empty }, bar);
}

rows(
  '`payctl profiles show --jq .name`, for the prompt of a shell',
  { payctl: runs[PROMPT] ?? [], [NODE]: empty },
  { [NODE]: 1.4 },
);

/** The environment of somebody with a profile in use, for which 150 operations were imported. */
async function userWithImport(): Promise<NodeJS.ProcessEnv> {
  const env = { PAYCTL_CONFIG_DIR: join(folder, 'with-import') };
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(largeDescription()));
  await run(payctl(['profiles', 'set', 'bench', '--base-url', 'https://api.example.com', '-q'], env));
  await run(payctl(['profiles', 'use', 'bench', '-q'], env));
  await run(payctl(['api', 'import', file, '-q'], env));
  return env;
}
