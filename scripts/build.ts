/**
 * Builds dist/: a small file for the program and for each command over a few shared chunks, the client library with its
 * declarations, the manifest of the commands, the rendered help, what shells complete, and the licences of everything that is bundled.
 */
import { spawnSync } from 'node:child_process';
import { globSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { asciiCode } from './ascii-code.ts';
import { deferOclifRequires, directBuiltins, narrowUndici } from './bundle-plugins.ts';
import { writeCompletion } from './render-completion.ts';
import { writeHelp } from './render-help.ts';
import { writeLicences } from './third-party-licences.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);

/**
 * The chunks, first match wins. What one run needs together stands together: finding and opening a file costs about a
 * millisecond each, and what a run does not need must not be in its way.
 */
const CHUNKS: readonly (readonly [name: string, contents: RegExp])[] = [
  [
    'start',
    /builtin:|src\/cli\/(command-line|route|help|runtime|failure\/exit-code)|src\/client\/errors|src\/json\/|src\/config\/(nearest|environment|directories|profile|profile-document|profile-store|private-files|quoted|shell-word)\.ts|node_modules\/(env-paths|is-safe-filename)\/|src\/output\/streams/,
  ],
  [
    'validation',
    /node_modules\/(ajv|fast-deep-equal|fast-uri|json-schema-traverse)|src\/contract\/body-faults/,
  ],
  [
    'conf',
    /node_modules\/(conf|atomically|stubborn-\w+|when-exit|dot-prop|debounce-fn|mimic-function|semver|uint8array-extras|ajv-formats|json-schema-typed)\/|src\/config\/profile-conf/,
  ],
  ['keychain', /src\/config\/keychain/],
  ['prompts', /src\/cli\/(terminal-|pasted-secret)/],
  ['login', /src\/cli\/login\/|src\/config\/(profile-writer|profile-changes|file-lock|secret-store)/],
  ['auth', /src\/cli\/auth\/|src\/auth\/(inspect-token|open-token|scope-kind|\w+-faults?)\.ts/],
  ['completion', /src\/cli\/completion\//],
  ['doctor', /src\/cli\/doctor\//],
  ['contract', /src\/contract\/operation/],
  ['description', /src\/contract\/document/],
  ['seed', /src\/emulator\/seed\//],
  ['emulator', /src\/emulator\//],
  ['jq', /node_modules\/jq-wasm|src\/output\/(formats\/)?jq/],
  ['jose', /node_modules\/jose|src\/auth\/(keys|pem|sign|verify)\.ts/],
  ['yaml', /node_modules\/yaml|src\/output\/(formats\/)?yaml/],
  ['colour', /node_modules\/chalk|src\/output\/color/],
  ['table', /node_modules\/cli-table3|src\/output\/(aligned-table|column-layout|formats\/table)/],
  [
    'client',
    /src\/(client\/(?!client\.ts)|auth\/)|node_modules\/undici|undici-parts|src\/cli\/(connect|target|confirm-write|trace|redact|emulator-profile)/,
  ],
  ['cli', /src\/(cli|config|contract|output)\/|node_modules\//],
];

rmSync('dist', { recursive: true, force: true });
rmSync('oclif.manifest.json', { force: true });

const commands = globSync('src/commands/**/*.ts').map((file) => [
  file.slice('src/'.length, -'.ts'.length),
  file,
]);
const bundle = await rolldown({
  input: { main: 'src/main.ts', client: 'src/client/client.ts', ...Object.fromEntries(commands) },
  platform: 'node',
  // A native binding cannot be bundled; it is the one package that is installed with payctl, where its platform has one.
  external: ['@napi-rs/keyring'],
  preserveEntrySignatures: 'allow-extension',
  checks: { ineffectiveDynamicImport: false },
  plugins: [directBuiltins, deferOclifRequires, narrowUndici(root)],
});
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  chunkFileNames: 'chunks/[name].js',
  // Names stay: they are what a stack trace is read by.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: CHUNKS.map(([name, test], index) => ({ name, test, priority: CHUNKS.length - index })),
  },
});

for (const chunk of output) {
  if (chunk.type === 'chunk') writeFileSync(join('dist', chunk.fileName), asciiCode(chunk.code));
}

run('tsc', ['-p', 'scripts/tsconfig.client.json']);
run('oclif', ['manifest', '.']);
await writeHelp(root);
await writeCompletion(root);
writeLicences(
  root,
  output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])),
);

function run(program: string, args: string[]): void {
  const bin = join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${program}.cmd` : program);
  const { status, stdout, stderr } = spawnSync(bin, args, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}
