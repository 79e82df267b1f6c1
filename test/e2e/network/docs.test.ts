import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/features/doctor/finding.ts';
import { drawFinding } from '../../../src/features/doctor/print.ts';
import { loadColors } from '../../../src/output/terminal.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { BROKEN_SET_UPS, diagnose } from './broken-set-ups.ts';

const home = useHome();
const page = readFileSync(join(import.meta.dirname, '../../../docs/networks.md'), 'utf8');

/** The output below each heading of the page. */
const documented = Object.fromEntries(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.split('\n')[0] ?? '', /```text\n([\s\S]*?)```/.exec(section)?.[1] ?? '']),
);

describe('docs/networks.md', () => {
  it('shows each broken set-up that is tested, and no other', () => {
    expect(Object.keys(documented)).toEqual(Object.keys(BROKEN_SET_UPS));
  });

  it.each(Object.entries(BROKEN_SET_UPS))('shows what doctor says: %s', async (title, setUp) => {
    const finding = (await diagnose(home, setUp)) as Finding;
    const colors = await loadColors(false);
    expect(drawFinding(finding, { width: 100, colors })).toBe(documented[title]);
  });
});
