import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const MODULE = JSON.stringify(pathToFileURL(resolve('src/output/pipe-reader.ts')).href);

/** Writes what it reads to stdout, and says on stderr after each line whether the reader of stdout has left. */
const WATCHING = `
  const { watchReader } = await import(${MODULE});
  const hasLeft = watchReader();
  process.stdout.on('error', () => {});
  process.stdin.setEncoding('utf8').on('data', (text) => {
    if (text === 'write\\n') process.stdout.write('line\\n');
    process.stderr.write(hasLeft() + '\\n');
  });
`;

/** Starts the watcher with its stdout as a shell connects it. */
function watch(connection: string) {
  const script = `"$NODE" --input-type=module --disable-warning=ExperimentalWarning -e "$WATCHING" ${connection}`;
  const child = spawn('sh', ['-c', script], { env: { ...process.env, NODE: process.execPath, WATCHING } });
  child.stderr.setEncoding('utf8');
  const ask = async (line: 'ask' | 'write') => {
    child.stdin.write(`${line}\n`);
    return String((await once(child.stderr, 'data'))[0]).trim();
  };
  const end = async () => {
    child.stdin.end();
    await once(child, 'close');
  };
  return { ask, end };
}

describe('the reader of a pipe', () => {
  it('has left when its process has ended, which needs no write', async () => {
    const { ask, end } = watch('| { read line; }');
    expect(await ask('ask')).toBe('false');
    // The reader ends at some moment after it has the line: here already, or while the next questions are asked.
    let answer = await ask('write');
    while (process.platform === 'linux' && answer === 'false') answer = await ask('ask');
    expect([answer, await ask('ask')]).toEqual(Array(2).fill(String(process.platform === 'linux')));
    await end();
  });

  it.each([
    ['reads on', '| cat'],
    ['is replaced by another program', '| { read line; exec cat; }'],
    ['hands the pipe to another process', '| { (read line; read line); cat; }'],
  ])('has not left where it %s', async (_, connection) => {
    const { ask, end } = watch(connection);
    const answers = [];
    for (const line of ['ask', 'write', 'ask', 'write', 'ask'] as const) answers.push(await ask(line));
    expect(answers).toEqual(Array(5).fill('false'));
    await end();
  });

  it.each([
    ['a socket', ''],
    ['a file', '> /dev/null'],
  ])('is not looked for where stdout is %s', async (_, connection) => {
    const { ask, end } = watch(connection);
    expect(await ask('ask')).toBe('false');
    await end();
  });
});
