import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderForTest } from '../harness/temporary-folder.ts';

const ITEM = { id: '8b1f5c0e-6c1d-4b52-9a53-2f1f0d9c8f11', timestamp: '2025-01-01T00:00:00Z' };
const PAGE = { items: [ITEM], limit: 1, next_cursor: null };

const description = readFileSync(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8');
/** The files of a block of docs/architecture.md. */
const filesOf = (block: string): readonly string[] => {
  const [, files = ''] = new RegExp(`^\`\`\`${block}\n([^\`]+)^\`\`\``, 'm').exec(description) ?? [];
  return files.trim().split('\n');
};
const path = filesOf('path');
const used = filesOf('used');

/** The files that run in a list between the response with this page and the first text on stdout. */
function filesBetween(page: object, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr, output } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'page-trace.ts'), JSON.stringify(page), ...argv],
    {
      env: { HOME: folderForTest(), PAYCTL_CONFIG_DIR: folderForTest(), PAYCTL_TOKEN: 'opaque', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      encoding: 'utf8',
    },
  );
  expect(stdout, stderr).toContain(ITEM.id);
  return JSON.parse(output[3] ?? '') as readonly string[];
}

/** A list whose pages are counted, which is the longest way of a page. */
const COUNTED = {
  openapi: '3.0.3',
  info: { title: 'Rows', version: '1' },
  paths: {
    '/rows': {
      get: {
        operationId: 'listRows',
        parameters: ['page', 'per_page'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
        responses: {
          200: {
            description: 'One page.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    rows: {
                      type: 'array',
                      items: { type: 'object', properties: { id: { type: 'string' } } },
                    },
                    total_pages: { type: 'integer' },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

describe('the way of a page from the socket to stdout', () => {
  it('is the one of docs/architecture.md, of at most 15 files with the one of --all', () => {
    const files = filesBetween(PAGE, ['buyers', 'list', '-o', 'json']);
    expect(files.toSorted()).toEqual([...path, ...used].toSorted());
    expect(path.length).toBeLessThan(15);
  });

  it('has at most 25 files for a list of an imported description', () => {
    const file = join(folderForTest(), 'openapi.json');
    writeFileSync(file, JSON.stringify(COUNTED));
    const page = { rows: [ITEM], total_pages: 3 };
    const files = filesBetween(page, ['rows', 'list', '-o', 'ndjson'], {
      PAYCTL_DESCRIPTION: file,
    });
    const passing = files.filter((one) => !used.includes(one));
    expect(files).toContain('client/paging/counted.ts');
    expect(passing.length, passing.join(' ')).toBeLessThanOrEqual(25);
  });

  it('has at most 20 more files where a list is followed', () => {
    const files = filesBetween(PAGE, ['audit-logs', 'tail', '--max-items', '1', '-o', 'ndjson']);
    expect(files).toContain('cli/tail/follow.ts');
    expect(files.length, files.join(' ')).toBeLessThanOrEqual(path.length + used.length + 20);
  });
});
