import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderForAll } from '../harness/temporary-folder.ts';
import { serviceForAll } from './service-for-all.ts';

const log = (id: string, at: string, status: number) => ({
  id,
  request_method: 'GET',
  request_url: 'https://one.example/roles?search=ada%40example.com',
  request_received_at: at,
  response_status_code: status,
  response_body: { code: 'unauthorized', message: 'No valid API authentication found' },
  response_sent_at: at,
});
const ID = '00000000-0000-4000-8000-000000000001';
const LOGS = [log(ID, '2026-03-01T09:30:00Z', 401), log('2', '2026-03-01T08:30:00Z', 401)];

const folder = folderForAll();
const FILE = join(folder, 'logs.ndjson');
writeFileSync(
  FILE,
  `${LOGS.map((entry) => JSON.stringify(entry)).join('\n')}\n{"id":"${ID}","response_body":0}\nno JSON\n`,
);
const service = serviceForAll(({ url }) => {
  const isFirst = !url.includes('cursor');
  const headers = { date: 'Sun, 01 Mar 2026 10:00:00 GMT' };
  return { headers, body: { items: isFirst ? LOGS.slice(0, 1) : LOGS, next_cursor: isFirst ? 'c' : null } };
});

const payctl = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  service.print(argv, { env: { PAYCTL_CONFIG_DIR: folder, ...env } });
const run = (flags: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  payctl(['api-logs', 'report', ...flags], env);
const SAID =
  '2 of 2 entries between 2026-03-01T08:30:00Z and 2026-03-01T09:30:00Z match. --since 2h is 2026-03-01T08:00:00Z. ' +
  '1 duplicate with the same ID is left out.\n';

describe('api-logs report', () => {
  it('takes md for markdown, as every command does', async () => {
    const [plain, ...named] = await Promise.all(
      [[], ['-o', 'md'], ['-omd'], ['--output=md'], ['-o', 'markdown']].map((flags) => run(flags)),
    );
    const titles = named.map(({ stdout, code }) => [stdout.split('\n')[0], code]);
    expect(titles).toEqual(named.map(() => [plain?.stdout.split('\n')[0], 0]));
    const list = ['api-logs', 'list', '--since', '2h'];
    const tables = await Promise.all([
      payctl([...list, '-o', 'markdown']),
      payctl([...list, '-o', 'md']),
      payctl(list, { PAYCTL_OUTPUT: 'md' }),
    ]);
    expect(tables[0]?.stdout).toContain('| --- |');
    expect(new Set(tables.map(({ stdout }) => stdout)).size).toBe(1);
    const wrong = await run(['-o', 'mdd']);
    expect(wrong.stderr).toBe(
      'Error: --output cannot be "mdd" (bad_flag)\nUse one of markdown, html, json.\n',
    );
  });

  it('is Markdown about what the service lists, also where PAYCTL_OUTPUT names another format', async () => {
    const { stdout, stderr, code } = await run(['--since', '2h', '-m', 'shop'], { PAYCTL_OUTPUT: 'json' });
    expect({ stderr, code }).toEqual({ stderr: SAID, code: 0 });
    expect(stdout.replace(service.origin.slice('http://'.length), 'HOST').split('\n## Causes')[0]).toBe(
      [
        '# 401 `GET /roles`: `No valid API authentication found`',
        '',
        '2 failed requests in 2 hours. All of them have the same cause.',
        '',
        '- Entries: 2 looked at, 2 in this report',
        '- Time span: 2026-03-01 08:00 UTC to 2026-03-01 10:00 UTC',
        '- Filters: `--since 2h`',
        '- Profile: none',
        '- Host: `HOST`',
        '- Merchant account: `shop`',
        '- Created: 2026-03-01 10:00 UTC by payctl/0.0.0',
        '',
        '> The service lists no entry from 2026-03-01 08:00 UTC to 2026-03-01 08:30 UTC. Either nothing failed then, or the log does not reach back that far.',
        '>',
        '> 1 entry is left out because of a duplicate ID.',
        '>',
        '> Personal data and secrets are masked, but names and streets in free text cannot be recognised. To leave out all free text, add --no-messages',
        '',
      ].join('\n'),
    );
    expect(stdout).toContain(`- Request: \`GET one.example/roles?search=search-1\``);
    expect(stdout).toContain(`- Try: \`payctl api-logs get ${ID} --merchant-account shop\``);
  });

  it('is made of files without any setting, and says how many entries could not be read', async () => {
    const env = { PAYCTL_PROFILE: 'none', PAYCTL_BASE_URL: '' };
    const { stdout, stderr, code } = await run(['--file', FILE], env);
    expect(code).toBe(0);
    expect(stderr).toContain('1 of 4 lines cannot be read');
    expect(stdout).toContain('- Filters: none\n- Files: `logs.ndjson`\n');
    expect(stdout).toContain('> 1 entry in the files cannot be read and may be missing here.\n');
    expect(stdout).toContain('> 1 entry is left out because of a duplicate ID.\n');
    expect(stdout).not.toContain('payctl api-logs get');
  });

  it('gives its figures as one JSON document, with --json as with -o json', async () => {
    const { stdout, stderr, code } = await run(['-o', 'json', '--since', '2h']);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ kept: 2, client_errors: 2, missed: { duplicates: 1 } });
    expect((await run(['--json', '--since', '2h'])).stdout).toBe(stdout);
    expect(stdout).not.toMatch(/ada(@|%40)/);
  });

  it('is one HTML page', async () => {
    const { stdout, stderr, code } = await run(['-o', 'html', '--since', '2h']);
    expect({ stderr, code }).toEqual({ stderr: SAID, code: 0 });
    expect(stdout).toMatch(/^<!DOCTYPE html>\n[\s\S]*<\/html>\n$/);
  });

  it('leaves out messages with --no-messages, and profile, host and commands with --for merchant', async () => {
    const { stdout, code } = await run(['--since', '2h', '--no-messages', '--for', 'merchant']);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/No valid API|payctl api|Profile|Host|127\.0\.0\.1/);
    expect(stdout).toContain('# 401 `GET /roles`: `unauthorized`\n');
    expect(stdout).toContain('> All free text is left out: messages and text in bodies.\n');
  });

  it('refuses the formats of lists before anything is sent', async () => {
    expect(await run(['-o', 'csv'])).toEqual({
      stdout: '',
      stderr: 'Error: --output cannot be "csv" (bad_flag)\nUse one of markdown, html, json.\n',
      code: 2,
    });
  });

  it('prints nothing on stdout where the service fails', async () => {
    const broken = await run(['-o', 'html', '--base-url', 'http://127.0.0.1:9', '--max-retries', '0']);
    expect(broken).toMatchObject({ stdout: '', code: 9 });
  });
});
