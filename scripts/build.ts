/**
 * Builds dist/: a small file for the program and for each command over a few shared chunks, the client library with its
 * declarations, the manifest of the commands, the rendered help, what shells complete, and the licences and
 * checksums of everything that is bundled.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import * as client from '../src/client/client.ts';
import { wrapped } from '../src/start/loader.ts';
import { asciiCode } from './ascii-code.ts';
import {
  bindingByRequire,
  commandsByRequire,
  commandWithoutStdout,
  confWithoutSchemas,
  directBuiltins,
  lazyOclif,
  omitUnused,
} from './bundle-plugins.ts';
import { plainExports } from './chunk-code.ts';
import { chunkGroups, chunkProblems } from './chunks.ts';
import { writeHelp } from './help/write.ts';
import { writeLibrary } from './library.ts';
import { narrowUndici } from './narrow-undici.ts';
import { jqFromFile, writePackedJq } from './packed-jq.ts';
import { writeCompletion } from './render-completion.ts';
import { writeSbom } from './sbom.ts';
import { writeLicences } from './third-party-licences.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);

/** The names of classes are kept, which errors are known by; a stack trace has the columns of a build that anybody can repeat. */
const MINIFIED = {
  compress: true,
  mangle: { keepNames: { function: false, class: true } },
  codegen: { removeWhitespace: true },
} as const;

/** Only those that a licence wants. */
const COMMENTS = { legal: true, annotation: false, jsdoc: false } as const;

const PLUGINS = [
  lazyOclif,
  commandWithoutStdout,
  directBuiltins,
  omitUnused,
  narrowUndici(root),
  confWithoutSchemas,
  jqFromFile(root),
];

rmSync('dist', { recursive: true, force: true });
rmSync('oclif.manifest.json', { force: true });

const commands = globSync('src/commands/**/*.ts').map((file) => [
  file.slice('src/'.length, -'.ts'.length),
  file,
]);
const bundle = await rolldown({
  input: {
    main: 'src/main.ts',
    client: 'src/client/client.ts',
    // A thread is started by the path of its file, which is next to the chunk that starts it.
    'chunks/jq-worker': 'src/output/formats/jq-worker.ts',
    ...Object.fromEntries(commands),
  },
  platform: 'node',
  // A native binding cannot be bundled; it is the one package that is installed with payctl, where its platform has one.
  external: ['@napi-rs/keyring'],
  preserveEntrySignatures: 'allow-extension',
  checks: { ineffectiveDynamicImport: false },
  plugins: [commandsByRequire, bindingByRequire, ...PLUGINS],
});
const { output } = await bundle.write({
  dir: 'dist',
  format: 'cjs',
  exports: 'named',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name].cjs',
  minify: MINIFIED,
  comments: COMMENTS,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: chunkGroups(),
  },
});

const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
const problems = chunkProblems(modules);
if (problems.length > 0) throw new Error(`scripts/chunks.ts:\n${problems.join('\n')}`);

// Help, completion and the name of the profile need little of the program. Each is a file of its own, which runs without reading the rest. Their names, and
// those of the start, are short, because V8 reads the whole file; nobody sees a stack trace of them: the program answers where they fail.
const help = await bundleAlone('src/help.ts', { file: 'dist/help.cjs', mangle: true });
const complete = await bundleAlone('src/complete.ts', { file: 'dist/complete.cjs', mangle: true });
const profileName = await bundleAlone('src/profile-name.ts', {
  file: 'dist/profile-name.cjs',
  mangle: true,
});
const start = await bundleAlone('src/start/start.ts', { file: 'dist/start.cjs', mangle: true });

for (const chunk of output) {
  if (chunk.type === 'chunk')
    writeFileSync(join('dist', chunk.fileName), wrapped(plainExports(asciiCode(chunk.code))));
}
writeLibrary('dist', Object.keys(client));
for (const chunk of [...help, ...complete, ...profileName]) {
  if (chunk.type === 'chunk') writeFileSync(join('dist', chunk.fileName), asciiCode(chunk.code));
}
for (const chunk of start) {
  if (chunk.type === 'chunk') writeFileSync(join('dist', chunk.fileName), namedBuild(asciiCode(chunk.code)));
}

run('tsc', ['-p', 'scripts/tsconfig.client.json']);
keepNamed('dist/types', 'client/client.d.ts');
run('oclif', ['manifest', '.']);
writePackedJq(root);
await writeHelp(root);
await writeCompletion(root);
writeLicences(root, modules);
// Written last: set-up takes this file as the sign of a complete build.
writeSbom(root, modules);

/** Gives compiled code, which is kept outside dist/, a name that no other build has. */
function namedBuild(code: string): string {
  const hash = createHash('sha256').update(code);
  for (const chunk of output) if (chunk.type === 'chunk') hash.update(chunk.code);
  const named = code.replace('BUILD_OF_PAYCTL', hash.digest('hex').slice(0, 16));
  if (named === code) throw new Error('src/start/start.ts has no place for the name of the build');
  return named;
}

async function bundleAlone(input: string, { file, mangle = false }: { file: string; mangle?: boolean }) {
  const alone = await rolldown({ input, platform: 'node', plugins: PLUGINS });
  const minify = { ...MINIFIED, mangle };
  return (await alone.write({ file, format: 'cjs', minify, comments: COMMENTS, codeSplitting: false }))
    .output;
}

/** Deletes the declarations below a folder that no other one names, from a first one on: those of code within functions. */
function keepNamed(folder: string, first: string): void {
  const kept = new Set<string>();
  const left = [join(folder, first)];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (kept.has(file)) continue;
    kept.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/['"](\.[^'"]*)\.(?:js|ts)['"]/g)) {
      left.push(join(dirname(file), `${name}.d.ts`));
    }
  }
  for (const name of globSync('**/*.d.ts', { cwd: folder })) {
    if (!kept.has(join(folder, name))) rmSync(join(folder, name));
  }
}

function run(program: string, args: string[]): void {
  const bin = join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${program}.cmd` : program);
  const { status, stdout, stderr } = spawnSync(bin, args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}
