import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serve } from '../client/live-client.ts';
import type { Handler } from '../harness/http-server.ts';
import { printedError, WORDS } from '../harness/printed-error.ts';
import { PROMPTLY } from '../harness/promptly.ts';
import { freshHome, type Home } from '../harness/run-payctl.ts';

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Reports', version: '1' },
  paths: { '/report': { get: { responses: { 200: { content: { 'text/csv': {} } } } } } },
};

/** Lines without an end, as fast as they are read. */
const endless: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/csv' });
  const line = 'a,b,c\n'.repeat(10_000);
  const more = () => {
    while (!response.destroyed && response.write(line));
  };
  response.on('drain', more);
  more();
};

/** One line, and then nothing. */
const silent: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/csv' });
  response.write('a,b,c\n');
};

async function homeFor(handler: Handler): Promise<Home & { readonly variables: Record<string, string> }> {
  const { origin } = await serve(handler);
  const home = freshHome();
  const file = join(home.path, 'openapi.json');
  writeFileSync(file, JSON.stringify(DESCRIPTION));
  const variables = { PAYCTL_DESCRIPTION: file, PAYCTL_BASE_URL: origin, PAYCTL_TOKEN: 'opaque' };
  return { ...home, variables };
}

const drafts = (home: Home) => readdirSync(home.path).filter((name) => /part$|csv$/.test(name));

describe('an answer that is written as it comes', () => {
  it('ends quietly when its reader has enough', async () => {
    const home = await homeFor(endless);
    const run = await home.shell('$PAYCTL report get | head -c 10', { env: home.variables });
    expect(run).toMatchObject({ stdout: 'a,b,c\na,b,', stderr: '', code: 0 });
  });

  it.each([
    ['stdout', []],
    ['a file, of which nothing stays', ['--output-file', 'report.csv']],
  ])('ends at once by Ctrl-C while it goes to %s', async (_, flags) => {
    const home = await homeFor(silent);
    const run = home.start(['report', 'get', ...flags], { env: home.variables, cwd: home.path });
    if (flags.length === 0) await run.sees('stdout', 'a,b,c');
    else await expect.poll(() => drafts(home)).toHaveLength(1);
    const interruptedAt = performance.now();
    run.kill('SIGINT');
    const { code, stderr } = await run.done;
    expect(performance.now() - interruptedAt).toBeLessThan(PROMPTLY);
    expect(code).toBe(130);
    expect(printedError(stderr)).toMatchObject({ code: 'aborted', message: WORDS });
    expect(drafts(home)).toEqual([]);
  });

  it('ends with Ctrl-C while nobody reads it', async () => {
    const home = await homeFor(endless);
    const run = '{ (echo $BASHPID >pid; exec $PAYCTL report get); echo $? >code; }';
    const line = `${run} | { sleep 2; kill -INT $(cat pid); sleep 2; kill -0 $(cat pid) || echo gone; }; cat code`;
    const { stdout } = await home.shell(line, { env: home.variables, cwd: home.path });
    expect(stdout).toBe('gone\n130\n');
  });
});
