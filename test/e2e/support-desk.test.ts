import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { useHome } from '../harness/run-payctl.ts';
import { wordsOf } from '../harness/words-of.ts';
import { useEmulator } from './shared-emulator.ts';

const docs = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(docs, 'support-desk.md'), 'utf8');
const home = useHome();
useEmulator(home);

/** The commands of the page that have their output below them. */
const recorded = [...page.matchAll(/```text\n\$ payctl (.*)\n([\s\S]*?)```/g)].map(
  ([, command = '', output = '']) => [command, output] as const,
);

const terminal = { columns: 100, withStderr: true } as const;

describe('the case in docs/support-desk.md', () => {
  it('is solved by three commands', () => {
    expect(recorded.map(([command]) => command.split(' ').slice(0, 2).join(' '))).toEqual([
      'api-logs summary',
      'api-logs get',
      'api-logs get',
    ]);
  });

  it.each(recorded)('shows what a terminal shows: %s', async (command, output) => {
    const run = await home.start(wordsOf(command), { env: { NO_COLOR: '1' }, terminal }).done;
    expect(run.code).toBe(0);
    expect(stripVTControlCharacters(run.stdout).replaceAll(/[ \t]+$/gm, '')).toBe(output);
  });

  it('has the report that it names', async () => {
    const command = /^payctl (api-logs report .*) > support-desk-report.md$/m.exec(page)?.[1] ?? '';
    const { stdout, code } = await home.payctl(wordsOf(command));
    expect(code).toBe(0);
    const report = stdout
      .replace(/`127\.0\.0\.1:\d+`/, '`127.0.0.1:4010`')
      .replace(/^- Created: .*$/m, '- Created: 2025-12-01 06:00 UTC by payctl/1.2.3');
    await expect(report).toMatchFileSnapshot(join(docs, 'support-desk-report.md'));
  });
});
