import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Handler } from '../../harness/http-server.ts';
import { importedHome, runImported } from './run-imported.ts';

const answerOf = (...types: string[]) => ({
  200: { content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])) },
});
const path = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Reports', version: '1' },
  components: { securitySchemes: { key: { type: 'oauth2', flows: {} } } },
  security: [{ key: ['reports.read'] }],
  paths: {
    '/reports/{id}/csv': { get: { parameters: path, responses: answerOf('text/csv; charset=utf-8') } },
    '/reports/{id}/pdf': { get: { parameters: path, responses: answerOf('application/pdf') } },
    '/reports/{id}/both': {
      get: { operationId: 'both', parameters: path, responses: answerOf('application/pdf', 'text/csv') },
    },
    '/reports/{id}/json': { get: { parameters: path, responses: answerOf('text/csv', 'application/json') } },
    '/reports/{id}/render': { post: { parameters: path, responses: answerOf('application/pdf') } },
  },
};
const home = () => importedHome(DESCRIPTION);
const CSV = { headers: { 'content-type': 'text/csv' }, body: 'id,name\r\n1,Ada\r\n' };
const BYTES = Buffer.from([0x25, 0x50, 0xff, 0x00, 0x1b, 0x5b, 0x32, 0x4a, 0x0d]);
const PDF = { headers: { 'content-type': 'application/pdf' }, body: BYTES };
const cut: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/csv', 'content-length': 100 });
  response.write('half', () => response.destroy());
};

describe('an operation whose answer is no JSON', () => {
  it('writes the exact bytes to a pipe', async () => {
    let bytes: Buffer | undefined;
    const done = await runImported(['reports', 'pdf', 'get', '1'], home(), {
      script: [PDF],
      onBytes: (written) => {
        bytes = written;
      },
    });
    expect(bytes).toEqual(BYTES);
    expect(done).toMatchObject({ stderr: '', code: 0, sent: [['GET', '/reports/1/pdf']] });
  });

  it.each([
    [['api', 'call', 'GET', '/reports/{id}/csv', '1']],
    [['api', 'get', '/reports/1/csv']],
    [['reports', 'csv', 'get', '1', '--output-file', '-']],
  ])('is run by %j', async (argv) => {
    expect(await runImported(argv, home(), { script: [CSV] })).toEqual({
      stdout: CSV.body,
      stderr: '',
      code: 0,
      sent: [['GET', '/reports/1/csv']],
    });
  });

  it('fails with a 304 that was not asked for, and warns of a file that was not written', async () => {
    const place = home();
    const output = join(place.home, 'report.csv');
    const get = ['reports', 'csv', 'get', '1', '--output-file', output];
    const again = await runImported(get, place, { script: [{ status: 304 }] });
    expect(again).toMatchObject({ stdout: '', code: 9 });
    expect(again.stderr).toContain('Error: The service returned 304: nothing has changed (304 not_modified)');
    const empty = await runImported(get, place, { script: [{ status: 204 }] });
    expect(empty).toMatchObject({
      stderr: 'The response has no content, so no file was written.\nDone. The service sent no content.\n',
      code: 0,
    });
    expect(existsSync(output)).toBe(false);
  });

  it('asks for its media types, or for the one of --accept', async () => {
    const accepts: unknown[] = [];
    const note: Handler = ({ headers }, response) => {
      accepts.push(headers.accept);
      response.writeHead(200, CSV.headers).end(CSV.body);
    };
    for (const argv of [
      ['reports', 'both', 'get', '1'],
      ['reports', 'both', 'get', '1', '--accept', 'text/csv'],
      ['reports', 'csv', 'get', '1'],
    ])
      await runImported(argv, home(), { script: [note] });
    expect(accepts).toEqual(['application/pdf, text/csv', 'text/csv', 'text/csv']);
  });

  it('stays one of JSON where it answers with JSON, too', async () => {
    const script = [{ body: { id: '1', password: 'x' } }];
    const { stdout } = await runImported(['reports', 'json', 'get', '1'], home(), { script });
    expect(stdout).toBe('id\t1\npassword\t********\n');
  });

  it('shows text on a terminal with control characters replaced', async () => {
    const body = `a\r\nb\u001b[2J\u009b1m\r\tc\u202e${'\u00e9'.repeat(3)}`;
    const script = [{ headers: { 'content-type': 'text/csv' }, body }];
    const done = await runImported(['reports', 'csv', 'get', '1'], home(), { script, columns: 80 });
    expect(done).toMatchObject({ stdout: 'a\nb␛[2J<U+009B>1m␍\tc<U+202E>ééé\n', stderr: '', code: 0 });
  });

  it('joins on a terminal what comes in pieces', async () => {
    const script: Handler[] = [
      (_, response) => {
        response.writeHead(200, CSV.headers);
        const pieces = [Buffer.from('a\r'), Buffer.from('\n\xc3', 'latin1'), Buffer.from('\xa9\r', 'latin1')];
        const next = (index: number) => {
          const piece = pieces[index];
          if (!piece) response.end();
          else response.write(piece, () => setTimeout(() => next(index + 1), 20));
        };
        next(0);
      },
    ];
    const { stdout } = await runImported(['reports', 'csv', 'get', '1'], home(), { script, columns: 80 });
    expect(stdout).toBe('a\né␍\n');
  });

  it.each([
    [['reports', 'pdf', 'get', '1']],
    [['reports', 'pdf', 'get', '1', '--output-file', '-']],
    [['reports', 'both', 'get', '1', '--accept', 'application/pdf']],
    [['reports', 'render', '1']],
    [['api', 'get', '/reports/1/pdf']],
  ])('is not sent for a terminal that cannot show it: %j', async (argv) => {
    const { stdout, stderr, code, sent } = await runImported(argv, home(), { columns: 80 });
    expect({ stdout, code, sent }).toEqual({ stdout: '', code: 2, sent: [] });
    expect(stderr).toMatch(
      /^Error: (GET|POST) \/reports\/(\{id\}|1)\/\w+ returns application\/pdf, which a terminal cannot show \(binary_on_terminal\)\nAdd --output-file FILE, or redirect the output: > FILE\n$/,
    );
  });

  it('does not show on a terminal what turns out to be no text', async () => {
    const done = await runImported(['reports', 'both', 'get', '1'], home(), { script: [PDF], columns: 80 });
    expect(done).toMatchObject({ stdout: '', code: 1 });
    expect(done.stderr).toContain('(binary_on_terminal)');
  });

  it('writes a file, whole or not at all', async () => {
    const place = home();
    const file = join(place.home, 'report.pdf');
    const argv = ['reports', 'pdf', 'get', '1', '--output-file', file];
    expect(await runImported(argv, place, { script: [PDF], columns: 80 })).toEqual({
      stdout: '',
      stderr: `Wrote ${BYTES.length} bytes (application/pdf) to ${file}.\n`,
      code: 0,
      sent: [['GET', '/reports/1/pdf']],
    });
    expect(readFileSync(file)).toEqual(BYTES);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await runImported(argv, place)).toEqual({
      stdout: '',
      stderr: `Error: "${file}" already exists (file_exists)\nChoose another name, or add --overwrite to replace it.\n`,
      code: 2,
      sent: [],
    });
    const again = await runImported([...argv, '--overwrite'], place, { script: [CSV] });
    expect([again.code, readFileSync(file, 'utf8')]).toEqual([0, CSV.body]);
  });

  it.each([
    [['reports', 'csv', 'get', '1', '--overwrite']],
    [['api', 'get', '/reports/1/csv', '--overwrite']],
    [['api', 'call', 'both', '1', '--overwrite']],
    [['reports', 'render', '1', '--overwrite', '--dry-run']],
  ])('does not ignore --overwrite without a file: %j', async (argv) => {
    expect(await runImported(argv, home())).toEqual({
      stdout: '',
      stderr:
        'Error: --overwrite needs --output-file (bad_flag)\nAdd --output-file, or remove --overwrite.\n',
      code: 2,
      sent: [],
    });
  });

  it('leaves no file where the answer is cut, and asks again before', async () => {
    const place = home();
    const file = join(place.home, 'report.csv');
    const argv = ['reports', 'csv', 'get', '1', '--output-file', file];
    const done = await runImported(argv, place, { script: [cut] });
    expect([done.code, existsSync(file)]).toEqual([9, false]);
    expect(done.stderr).toMatch(/connection_lost/);
    expect(readdirSync(place.home).filter((name) => name.startsWith('report'))).toEqual([]);
    const env = { PAYCTL_MAX_RETRIES: '1' };
    const again = await runImported(argv, place, { script: [cut, CSV], env });
    expect([again.code, readFileSync(file, 'utf8')]).toEqual([0, CSV.body]);
  });

  it('says that what was written is not the whole answer, and does not send again', async () => {
    const env = { PAYCTL_MAX_RETRIES: '3' };
    const done = await runImported(['reports', 'csv', 'get', '1'], home(), { script: [cut, CSV], env });
    expect(done).toMatchObject({ stdout: 'half', code: 9, sent: [['GET', '/reports/1/csv']] });
    expect(done.stderr).toMatch(/^The response on standard output is incomplete\nError: /);
  });

  it('leaves errors what they are, and no file', async () => {
    const place = home();
    const file = join(place.home, 'report.csv');
    const body = { type: 'error', code: 'not_found', status: 404, message: 'No report', details: [] };
    const argv = ['reports', 'csv', 'get', '1', '--output-file', file];
    const done = await runImported(argv, place, { script: [{ status: 404, body }] });
    expect(done).toMatchObject({ stdout: '', code: 5 });
    expect(done.stderr).toMatch(/^Error: No report \(404 not_found\)|not_found/);
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    [['-o', 'json'], '--output'],
    [['--json'], '--json'],
    [['--jq', '.id'], '--jq'],
    [['--columns', 'id'], '--columns'],
    [['--no-header'], '--no-header'],
  ])('refuses %j, which shows JSON', async (flags, name) => {
    for (const words of [
      ['reports', 'csv', 'get', '1'],
      ['api', 'get', '/reports/1/csv'],
    ]) {
      const { code, stdout, stderr, sent } = await runImported([...words, ...flags], home());
      expect({ code, stdout, sent }).toEqual({ code: 2, stdout: '', sent: [] });
      expect(stderr).toMatch(
        new RegExp(`${name} shows JSON, and GET /reports/(\\{id\\}|1)/csv returns text/csv`),
      );
      expect(stderr).toContain('not_json');
    }
  });

  it('does without the format of variables', async () => {
    const env = { PAYCTL_OUTPUT: 'json' };
    const { stdout, code } = await runImported(['reports', 'csv', 'get', '1'], home(), {
      script: [CSV],
      env,
    });
    expect([stdout, code]).toEqual([CSV.body, 0]);
  });

  it('shows an answer that is JSON all the same as a document, masked, and writes it to no file', async () => {
    const script = [{ body: { status: 'pending', password: 'x' } }];
    const place = home();
    const done = await runImported(['reports', 'csv', 'get', '1'], place, { script });
    expect(done).toMatchObject({ stdout: 'status\tpending\npassword\t********\n', code: 0 });
    const file = join(place.home, 'report.csv');
    const refused = await runImported(['reports', 'csv', 'get', '1', '--output-file', file], place, {
      script,
    });
    expect(refused).toMatchObject({ stdout: '', code: 1 });
    expect(refused.stderr).toContain('(answer_is_json)');
    expect(existsSync(file)).toBe(false);
  });

  it('does not take a web page for an answer', async () => {
    const page = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Sign in</p>' };
    const done = await runImported(['reports', 'csv', 'get', '1'], home(), { script: [page] });
    expect(done).toMatchObject({ stdout: '', code: 9 });
    expect(done.stderr).toContain('unreadable_response');
  });

  it('says of a change that it was carried out although its answer cannot be written', async () => {
    const place = home();
    const file = join(place.home, 'report.pdf');
    const made: Handler = (_, response) => {
      writeFileSync(file, 'made meanwhile');
      response.writeHead(200, PDF.headers).end(BYTES);
    };
    const argv = ['reports', 'render', '1', '--output-file', file];
    const done = await runImported(argv, place, { script: [made] });
    expect(done).toMatchObject({ stdout: '', code: 1, sent: [['POST', '/reports/1/render']] });
    expect(done.stderr).toContain('file_exists');
    expect(done.stderr).toContain('Outcome: done');
    expect(readFileSync(file, 'utf8')).toBe('made meanwhile');
  });

  it('shows the request with --dry-run, also as JSON and on a terminal', async () => {
    const { stdout, code, sent } = await runImported(['reports', 'render', '1', '--dry-run'], home(), {
      columns: 80,
    });
    expect([code, sent]).toEqual([0, []]);
    expect(stdout).toContain('accept: application/pdf\n');
    const json = await runImported(['reports', 'render', '1', '--dry-run', '-o', 'json'], home());
    expect(JSON.parse(json.stdout)).toMatchObject({ method: 'POST', headers: { accept: 'application/pdf' } });
  });

  it('counts the bytes of the answer with --verbose', async () => {
    const { stdout, stderr } = await runImported(['reports', 'csv', 'get', '1', '-v'], home(), {
      script: [CSV],
    });
    expect(stdout).toBe(CSV.body);
    expect(stderr).toContain('> accept: text/csv\n');
    expect(stderr).toContain('< (16 bytes, written unchanged)\n');
  });

  it('is listed, shown and explained with its media types', async () => {
    const place = home();
    const shown = await runImported(['api', 'show', 'both'], place);
    expect(shown.stdout).toMatch(/^Response +200, application\/pdf or text\/csv, written unchanged$/m);
    const { stdout } = await runImported(['api', 'show', 'both', '--jq', '.response.media_types'], place);
    expect(JSON.parse(stdout)).toEqual(['application/pdf', 'text/csv']);
    const help = await runImported(['reports', 'both', 'get', '--help'], place);
    expect(help.stdout).toMatch(/--output-file FILE/);
    expect(help.stdout).toMatch(/--accept TYPE/);
    expect(help.stdout).not.toMatch(/^ +--(jq|columns|no-header|reveal)/m);
    expect(help.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Returns application/pdf or text/csv, which is written unchanged: nothing in it is masked, and --output, --jq and --columns do not apply.',
    );
  });
});

describe('a path that is not described', () => {
  it.each([
    ['text/csv', CSV.body],
    ['application/xml', '<a/>'],
  ])('is written as it comes where it answers with %s', async (type, body) => {
    const script = [{ headers: { 'content-type': type }, body }];
    expect(await runImported(['api', 'get', '/other'], home(), { script })).toMatchObject({
      stdout: body,
      stderr: '',
      code: 0,
    });
  });

  it('is not shown on a terminal where it is no text', async () => {
    const done = await runImported(['api', 'get', '/other'], home(), { script: [PDF], columns: 80 });
    expect(done).toMatchObject({ stdout: '', code: 1 });
    expect(done.stderr).toContain('GET /other returns application/pdf, which a terminal cannot show');
  });

  it.each(['text/plain', 'text/html'])('has to be asked for as it comes where it is %s', async (type) => {
    const script = [{ headers: { 'content-type': type }, body: 'plain' }];
    const done = await runImported(['api', 'get', '/other'], home(), { script });
    expect(done).toMatchObject({ stdout: '', code: 9 });
    expect(done.stderr).toContain('To keep this response, write it to a file with --output-file FILE');
    const asked = await runImported(['api', 'get', '/other', '--output-file', '-'], home(), { script });
    expect(asked).toMatchObject({ stdout: 'plain', code: 0 });
  });

  it('is masked where it is JSON by another name', async () => {
    const script = [{ headers: { 'content-type': 'text/plain' }, body: '{"password":"x"}' }];
    const { stdout } = await runImported(['api', 'get', '/other'], home(), { script });
    expect(stdout).toBe('password\t********\n');
  });

  it('has to be JSON where a format is asked for', async () => {
    const done = await runImported(['api', 'get', '/other', '-o', 'json'], home(), { script: [CSV] });
    expect(done).toMatchObject({ stdout: '', code: 9 });
    const both = await runImported(['api', 'get', '/other', '--jq', '.', '--output-file', 'x'], home());
    expect(both).toMatchObject({ stdout: '', code: 2, sent: [] });
  });

  it('takes no file where its pages are asked for, or an operation answers with JSON', async () => {
    for (const words of [['/other', '--all'], ['/reports/1/json']]) {
      const done = await runImported(['api', 'get', ...words, '--output-file', 'x'], home());
      expect(done).toMatchObject({ stdout: '', code: 2, sent: [] });
      expect(done.stderr).toContain('(answer_is_json)');
    }
  });
});
