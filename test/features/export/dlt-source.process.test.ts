import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { countedService, type ServiceOptions, type ServicePage } from '../../client/counted-service.ts';
import { runInProcess } from '../../commands/run-in-process.ts';
import { answer, get } from '../../descriptions/describe.ts';
import { ledgerDescription } from '../../descriptions/ledger-description.ts';
import { startImported } from '../../emulator/imported/imported-emulator.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

const python = process.env.PAYCTL_PYTHON ?? 'python3';

/** Whether the Python of this machine has dlt; `PAYCTL_PYTHON` names another one. */
function hasDlt(): boolean {
  try {
    execFileSync(python, ['-c', 'import dlt.sources.rest_api, duckdb'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs a command with a description, for a service that has nothing at its address unless `env` names one. */
async function run(argv: readonly string[], description: object, env: Readonly<Record<string, string>> = {}) {
  const home = folderForTest();
  const file = join(home, 'openapi.json');
  writeFileSync(file, JSON.stringify(description));
  const settings = { PAYCTL_CONFIG_DIR: home, PAYCTL_DESCRIPTION: file, PAYCTL_TOKEN: 'opaque' };
  return await runInProcess(argv, { env: { ...settings, PAYCTL_BASE_URL: 'http://127.0.0.1:9/v1', ...env } });
}

const integer = { type: 'integer' };
const thing = { type: 'object', properties: { id: integer } };

/** A list of things with these query parameters: an array, or the member `data` of an object with these members. */
function listOf(parameters: Readonly<Record<string, object>>, members?: object, others: object = {}) {
  const array = { type: 'array', items: thing };
  return get({
    operationId: 'things',
    parameters: Object.entries(parameters).map(([name, schema]) => ({ name, in: 'query', schema })),
    responses: answer(members ? { type: 'object', properties: { data: array, ...members } } : array),
    ...others,
  });
}

const text = { type: 'string' };
const more = { has_more: { type: 'boolean' } };

/** Lists by how their pages lead to one another: their descriptions, their services, and what dlt is told. */
const PAGED: readonly (readonly [object, ServiceOptions, object])[] = [
  [
    listOf({ page: integer, per_page: { ...integer, maximum: 3 } }),
    { total: 7 },
    { type: 'page_number', page_param: 'page', base_page: 1, total_path: null },
  ],
  [
    listOf({ offset: integer, limit: { ...integer, maximum: 3 } }, {}),
    {
      total: 7,
      counts: 'items',
      parameter: 'offset',
      size: 'limit',
      body: ({ items }: ServicePage) => ({ data: items }),
    },
    { type: 'offset', offset_param: 'offset', offset: 0, limit_param: 'limit', limit: 3, total_path: null },
  ],
  [
    listOf({ starting_after: text, limit: { ...integer, maximum: 3 } }, more),
    {
      total: 7,
      counts: 'ids',
      parameter: 'starting_after',
      size: 'limit',
      body: ({ items, offset, size, total }: ServicePage) => ({
        data: items,
        has_more: offset + size < total,
      }),
    },
    {
      type: 'cursor',
      cursor_path: 'data[-1].id',
      cursor_param: 'starting_after',
      has_more_path: 'has_more',
    },
  ],
  [
    listOf({ after_id: integer }),
    { total: 7, counts: 'ids', parameter: 'after_id' },
    { type: 'cursor', cursor_path: '$[-1].id', cursor_param: 'after_id' },
  ],
  [
    listOf({}, { next: { type: 'string', format: 'uri' } }),
    {
      total: 7,
      body: ({ items, page, offset, size, total }: ServicePage) => ({
        data: items,
        next: offset + size < total ? `/things?page=${page + 1}` : null,
      }),
    },
    { type: 'json_link', next_url_path: 'next' },
  ],
  [
    listOf({ after: text }, { next: text }),
    {
      total: 7,
      parameter: 'after',
      body: ({ items, page, offset, size, total }: ServicePage) => ({
        data: items,
        next: offset + size < total ? `${page + 1}` : null,
      }),
    },
    { type: 'cursor', cursor_path: 'next', cursor_param: 'after' },
  ],
  [listOf({}), { total: 7, counts: 'nothing', usual: 7 }, { type: 'header_link' }],
];

/** What a program tells dlt about the pages of its only list. */
function paginatorIn(program: string): unknown {
  const [, literal = ''] = /"paginator": (\{[^}]*\})/.exec(program) ?? [];
  return JSON.parse(literal.replaceAll(': None', ': null').replace(/,\s*\}$/, '}'));
}

describe('export --print-dlt', () => {
  it('prints a program with what the descriptions of the lists say', async () => {
    const argv = ['export', 'ledger-entries', 'buyers', '--print-dlt'];
    const shown = await run([...argv, '--merchant-account', 'eu'], ledgerDescription());
    expect(shown).toEqual({ stdout: PROGRAM, stderr: '', code: 0 });
  });

  it('gives each merchant account a table of its own', async () => {
    const flags = ['--merchant-account', 'eu,us-1'];
    const { stdout } = await run(['export', 'buyers', '--print-dlt', ...flags], ledgerDescription());
    const values = stdout.matchAll(/"(?:name|x-service-merchant-account-id)": "(.*)"/g);
    expect([...values].map(([, value]) => value)).toEqual(['buyers_eu', 'eu', 'buyers_us_1', 'us-1']);
  });

  it('asks for the records since a time', async () => {
    const argv = ['export', 'ledger-entries', '--print-dlt', '--since', '2026-01-01T00:00:00Z'];
    const { stdout } = await run(argv, ledgerDescription());
    expect(stdout).toContain('"created_at_gte": "2026-01-01T00:00:00.000Z",\n');
  });

  it.each(PAGED)(
    'says how the pages of a list lead to one another: %#',
    async (description, _, paginator) => {
      const { stdout, stderr } = await run(['export', 'things', '--print-dlt'], description);
      expect([paginatorIn(stdout), stderr]).toEqual([paginator, '']);
    },
  );

  it('sends an API key where the description says, and no token', async () => {
    const securitySchemes = { key: { type: 'apiKey', in: 'query', name: 'api_key' } };
    const others = { security: [{ key: [] }], components: { securitySchemes } };
    const { stdout } = await run(['export', 'things', '--print-dlt'], { ...listOf({}), ...others });
    expect(stdout).toContain(`"auth": {
                    "type": "api_key",
                    "name": "api_key",
                    "location": "query",
                    "api_key": os.environ["PAYCTL_API_KEY"],
                },`);
    expect(stdout).not.toContain('PAYCTL_TOKEN');
  });

  it('refuses two lists that dlt would load into one table', async () => {
    const list = { operationId: 'things', responses: answer({ type: 'array', items: thing }) };
    const paths = { '/a/b': { get: list }, '/a-b': { get: { ...list, operationId: 'others' } } };
    const description = { openapi: '3.1.0', info: { title: 'Things', version: '1' }, paths };
    const { code, stdout, stderr } = await run(['export', 'a b', 'a-b', '--print-dlt'], description);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Error: "a b" and "a-b" would have the same table, a_b (same_table)\nPrint a program for each of them.\n',
    });
    const accounts = ['--merchant-account', 'us.1,us-1'];
    expect(await run(['export', 'buyers', '--print-dlt', ...accounts], description)).toMatchObject({
      code: 2,
      stderr:
        'Error: "us.1" and "us-1" would have the same table, buyers_us_1 (same_table)\nPrint a program for each of them.\n',
    });
  });

  it('refuses what dlt would read in part', async () => {
    const basic = {
      security: [{ user: [] }],
      components: { securitySchemes: { user: { type: 'http', scheme: 'basic' } } },
    };
    const hint = 'Export it with payctl, and load the copy.';
    const lists = [
      [
        listOf({ offset: integer, limit: integer }),
        'the description does not say how many items a page has at most',
      ],
      [{ ...listOf({}), ...basic }, 'its credentials are neither a token nor one API key'],
    ] as const;
    for (const [description, reason] of lists) {
      expect(await run(['export', 'things', '--print-dlt'], description)).toEqual({
        stdout: '',
        stderr: `Error: dlt cannot read the list "things": ${reason} (not_for_dlt)\n${hint}\n`,
        code: 2,
      });
    }
  });

  it('needs a service with an address, and the names of lists', async () => {
    const env = { PAYCTL_BASE_URL: '' };
    const argv = ['export', 'buyers', '--print-dlt', '--profile', 'emulator'];
    expect(await run(argv, ledgerDescription(), env)).toEqual({
      stdout: '',
      stderr: `Error: The emulator of the profile emulator has no fixed address (no_address)
Set PAYCTL_BASE_URL to the address that this prints: payctl emulator start
`,
      code: 2,
    });
    expect(await run(['export', '--print-dlt'], ledgerDescription())).toMatchObject({ stdout: '', code: 2 });
  });

  it.skipIf(!hasDlt())(
    'is read by dlt: all pages of all lists (skipped without dlt and duckdb)',
    async () => {
      const folder = folderForTest();
      let requests = 0;
      await using emulator = await startImported(ledgerDescription(), {
        records: { 'ledger-entries': 250 },
        onRequest: () => {
          requests += 1;
        },
      });
      const lists = await Promise.all(PAGED.map(async ([, options]) => await countedService(options)));
      const programs = [
        await run(['export', 'ledger-entries', '--print-dlt'], ledgerDescription(), {
          PAYCTL_BASE_URL: emulator.emulator.baseUrl,
        }),
        ...(await Promise.all(
          PAGED.map(async ([description], index) => {
            const env = { PAYCTL_BASE_URL: lists[index]?.origin ?? '' };
            return await run(['export', 'things', '--print-dlt'], description, env);
          }),
        )),
      ];
      const files = programs.map(({ stdout }, index) => {
        const file = join(folder, `lists-${index}.py`);
        writeFileSync(file, stdout);
        return file;
      });
      const { stdout } = await promisify(execFile)(
        python,
        [join(import.meta.dirname, 'read-with-dlt.py'), ...files],
        {
          cwd: folder,
          env: {
            PATH: process.env.PATH,
            HOME: folder,
            PYTHONPATH: process.env.PYTHONPATH,
            DLT_DATA_DIR: folder,
            RUNTIME__DLTHUB_TELEMETRY: 'false',
            PAYCTL_TOKEN: await emulator.token(['*']),
          },
        },
      );
      const { read, tables } = JSON.parse(stdout.split('\n').findLast((line) => line.startsWith('{')) ?? '');
      const ids = Array.from({ length: 7 }, (_, index) => index + 1);
      expect(read.slice(1)).toEqual(PAGED.map(() => ids));
      expect(new Set(read[0]).size).toBe(250);
      expect(tables).toEqual({ ledger_entries: [250, 250] });
      // Three pages, the same for the pipeline, and one page of what has changed.
      expect(requests).toBe(7);
    },
  );
});

const PROGRAM = `"""Loads ledger-entries, buyers with dlt. Made by payctl 0.0.0.

dlt stores personal data and secrets as the service sends them, and does not find out which records are gone.
"""

import os

import dlt
from dlt.sources.rest_api import rest_api_source

config = {
    "client": {
        "base_url": "http://127.0.0.1:9/v1",
    },
    "resources": [
        {
            "name": "ledger_entries",
            "primary_key": "id",
            "write_disposition": "merge",
            "endpoint": {
                "path": "ledger-entries",
                "auth": {
                    "type": "bearer",
                    "token": os.environ["PAYCTL_TOKEN"],
                },
                "params": {
                    "limit": 100,
                },
                "data_selector": "items",
                "paginator": {
                    "type": "cursor",
                    "cursor_path": "next_cursor",
                    "cursor_param": "cursor",
                },
                "incremental": {
                    "cursor_path": "updated_at",
                    "start_param": "updated_at_gte",
                    "initial_value": "1970-01-01T00:00:00Z",
                    "lag": 600,
                    "on_cursor_value_missing": "include",
                },
            },
        },
        {
            "name": "buyers",
            "primary_key": "id",
            "write_disposition": "merge",
            "endpoint": {
                "path": "buyers",
                "headers": {
                    "x-service-merchant-account-id": "eu",
                },
                "auth": {
                    "type": "bearer",
                    "token": os.environ["PAYCTL_TOKEN"],
                },
                "params": {
                    "limit": 100,
                },
                "data_selector": "items",
                "paginator": {
                    "type": "cursor",
                    "cursor_path": "next_cursor",
                    "cursor_param": "cursor",
                },
            },
        },
    ],
}

if __name__ == "__main__":
    pipeline = dlt.pipeline("payctl", destination="duckdb", dataset_name="lists")
    print(pipeline.run(rest_api_source(config)))
`;
