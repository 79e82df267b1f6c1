import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { clearFlags, REPRODUCIBLY } from './compiled-flags.ts';
import { packageFolder, runOrThrow } from './locked-files.ts';
import { OWN_PLATFORM, type Platform } from './platforms.ts';

/** Files of dist/ that the program reads or runs. */
const INSIDE = ['**/*.cjs', 'help/**/*.txt', '*.zst', 'completion.jsonl'];

/**
 * Runs whose compiled code goes into the executable: what people and scripts do most. None of them may change the flags of V8,
 * as `--all` does: V8 refuses code that was compiled under other flags.
 */
const RECORDED = [
  ['--help'],
  ['--version'],
  ['__complete', '--', 'buyers', 'list', '--columns', 'id,'],
  ['profiles', 'show', '--jq', '.name'],
  ['buyers', 'list', '--profile', 'emulator', '-q', '-o', 'json'],
  ['buyers', 'list', '--profile', 'emulator', '-q'],
  ['buyers', 'list', '--profile', 'emulator', '-q', '-o', 'yaml'],
  ['buyers', 'list', '--profile', 'emulator', '-q', '-o', 'csv'],
  ['buyers', 'list', '--profile', 'emulator', '-q', '--jq', '.limit'],
  ['api-logs', 'list', '--profile', 'emulator', '-q'],
];

/** How an executable was built. */
export type Built = {
  readonly file: string;
  readonly isStripped: boolean;
  readonly hasCompiledCode: boolean;
};

/**
 * Builds payctl of dist/ as one executable in `folder`. For this platform, Node is stripped first (a stripped executable crashes) and the
 * compiled code goes in; V8 of another platform cannot be asked for that, so such an executable starts more slowly.
 * @throws Error if Node of the platform is not available, or cannot take the program
 */
export async function buildExecutable(root: string, platform: Platform, folder: string): Promise<Built> {
  const work = mkdtempSync(join(tmpdir(), 'payctl-package-'));
  try {
    mkdirSync(folder, { recursive: true });
    const isOwn = platform === OWN_PLATFORM;
    const name = platform.os === 'win32' ? 'node.exe' : 'node';
    const node = join(work, name);
    copyFileSync(join(packageFolder(root, platform.node), 'bin', name), node);
    chmodSync(node, 0o755);
    const isStripped = isOwn && strip(node);
    await bundleStart(root, work);
    if (isOwn) recordCompiled(root, node, join(work, 'compiled'));
    const file = join(folder, platform.program);
    const settings = {
      // Relative: the compiled code of this file contains the path.
      main: 'start.cjs',
      output: file,
      executable: node,
      disableExperimentalSEAWarning: true,
      useCodeCache: isOwn,
      // NODE_OPTIONS is meant for other programs, and could make this one run other code.
      execArgvExtension: 'none',
      assets: assets(root, platform, work),
    };
    writeFileSync(join(work, 'sea.json'), JSON.stringify(settings));
    const flags = isOwn ? REPRODUCIBLY : [];
    runOrThrow(process.execPath, [...flags, '--build-sea', 'sea.json'], { cwd: work });
    if (isOwn) clearFlags(process.execPath, [file]);
    if (process.platform === 'darwin' && platform.os === 'darwin') sign(file);
    chmodSync(file, 0o755);
    return { file, isStripped, hasCompiledCode: isOwn };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Whether the symbols could be removed, which nobody needs to run payctl. */
function strip(node: string): boolean {
  const before = statSync(node).size;
  try {
    runOrThrow('strip', process.platform === 'darwin' ? ['-x', node] : [node], { cwd: tmpdir() });
    return statSync(node).size < before;
  } catch {
    return false;
  }
}

/** Apple's processors run no program without a signature, and putting payctl in has broken that of Node. */
function sign(file: string): void {
  runOrThrow('codesign', ['--sign', '-', '--force', file], { cwd: tmpdir() });
}

async function bundleStart(root: string, work: string): Promise<void> {
  for (const name of ['start', 'thread', 'binding']) {
    const input = join(root, 'src', 'executable', `${name}.ts`);
    const bundle = await rolldown({ input, platform: 'node' });
    await bundle.write({ file: join(work, `${name}.cjs`), format: 'cjs', codeSplitting: false });
  }
}

/**
 * Runs payctl in a separate home directory, one run after the other. Each adds to the compiled code of those before it. Then its
 * flags are taken out of the code, and a run without them finds out whether V8 accepts it.
 */
function recordCompiled(root: string, node: string, folder: string): void {
  const home = mkdtempSync(join(tmpdir(), 'payctl-record-'));
  const env = { PATH: process.env.PATH, HOME: home, PAYCTL_CONFIG_DIR: join(home, 'payctl') };
  const script = join(root, 'scripts', 'package', 'record-compiled.ts');
  try {
    for (const words of RECORDED)
      runOrThrow(node, [...REPRODUCIBLY, script, 'record', folder, ...words], { cwd: root, env });
    const settle = join(root, 'scripts', 'package', 'settle-compiled.ts');
    runOrThrow(node, [...REPRODUCIBLY, settle, folder], { cwd: root, env });
    const files = globSync('**/*.cjs', { cwd: folder }).map((name) => join(folder, name));
    clearFlags(node, files);
    for (const words of RECORDED) runOrThrow(node, [script, 'check', folder, ...words], { cwd: root, env });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function assets(root: string, platform: Platform, work: string): Record<string, string> {
  const dist = join(root, 'dist');
  const program = globSync(INSIDE, { cwd: dist }).map((name) => [slashed(name), join(dist, name)]);
  const compiled = globSync('**/*.cjs', { cwd: join(work, 'compiled') }).map((name) => [
    `compiled/${slashed(name)}`,
    join(work, 'compiled', name),
  ]);
  const binding = packageFolder(root, platform.binding);
  const [native = ''] = globSync('*.node', { cwd: binding });
  return {
    ...Object.fromEntries([...program, ...compiled]),
    'thread.cjs': join(work, 'thread.cjs'),
    'binding.cjs': join(work, 'binding.cjs'),
    'bindings/@napi-rs/keyring.node': join(binding, native),
  };
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
