import { describe, expect, it } from 'vitest';
import { createRuntime } from '../../../src/cli/runtime.ts';
import { createDisplay } from '../../../src/cli/show/display.ts';
import type { OutputName } from '../../../src/output/formats.ts';
import { MemoryStream } from '../../output/memory-stream.ts';

type Options = {
  readonly format?: OutputName;
  readonly isTTY?: boolean;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
};

function open({ format = 'table', isTTY = false, verbose = false, quiet = false }: Options = {}) {
  const stdout = new MemoryStream();
  const stderr = new MemoryStream({ isTTY });
  const { signal } = new AbortController();
  const stdin = () => {
    throw new Error('this run has no standard input');
  };
  const runtime = createRuntime({ stdout, stderr, stdin, env: {}, signal, version: '0.0.0' });
  const display = createDisplay({ format, verbose, quiet, noColor: true }, runtime);
  return {
    display,
    async said() {
      await display.stderr.end();
      return stderr.text;
    },
  };
}

async function warned(options: Options, message = 'Stopped early'): Promise<string> {
  const { display, said } = open(options);
  display.warn('list_cut', message);
  return await said();
}

async function informed(options: Options): Promise<string> {
  const { display, said } = open(options);
  display.info('Next page: 2');
  return await said();
}

const LINE = 'Stopped early\n';
const JSON_LINE = '{"warning":{"code":"list_cut","message":"Stopped early"}}\n';

describe('a warning', () => {
  it.each(['table', 'csv', 'yaml', 'markdown'] as const)(
    'is one line of text beside %s, also in a pipe',
    async (format) => {
      expect(await warned({ format })).toBe(LINE);
      expect(await warned({ format, isTTY: true })).toBe(LINE);
    },
  );

  it.each(['json', 'ndjson'] as const)(
    'is one line of JSON beside %s, and one line of text for a person at a terminal',
    async (format) => {
      expect(await warned({ format })).toBe(JSON_LINE);
      expect(await warned({ format, verbose: true })).toBe(JSON_LINE);
      expect(await warned({ format, isTTY: true })).toBe(LINE);
      expect(await warned({ format, isTTY: true }, 'a\nb\u001b[2J')).toBe('a\u240ab\u241b[2J\n');
    },
  );

  it.each(['table', 'json'] as const)('is not printed under --quiet beside %s', async (format) => {
    expect(await warned({ format, quiet: true, verbose: true })).toBe('');
  });

  it('stays one line whatever its text, and keeps known secrets to itself', async () => {
    const text = 'a\nb\u001b[2J\u202e token-of-the-run';
    const { display, said } = open({ format: 'json' });
    display.addSecret('token-of-the-run');
    display.warn('retry', text);
    const line = await said();
    expect(line).toBe('{"warning":{"code":"retry","message":"a\\nb\\u001b[2J\\u202e ********"}}\n');
    expect(await warned({}, 'a\nb\u001b[2J')).toBe('a\u240ab\u241b[2J\n');
  });
});

describe('information for a person', () => {
  it('is printed beside formats for people, unless --quiet', async () => {
    expect(await informed({})).toBe('Next page: 2\n');
    expect(await informed({ quiet: true })).toBe('');
  });

  it('is not printed beside JSON, unless a person reads stderr', async () => {
    expect(await informed({ format: 'ndjson' })).toBe('');
    expect(await informed({ format: 'json', isTTY: true })).toBe('Next page: 2\n');
    expect(await informed({ format: 'json', verbose: true })).toBe('Next page: 2\n');
  });
});
