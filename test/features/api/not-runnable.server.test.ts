import { describe, expect, it } from 'vitest';
import { importedForAll, importedHome, runImported } from './run-imported.ts';

const form = { content: { 'multipart/mixed': { schema: { type: 'object' } } } };
const path = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Disputes', version: '1' },
  paths: {
    '/disputes': { get: { operationId: 'list_disputes', summary: 'List disputes', responses: {} } },
    '/disputes/{id}': {
      get: { operationId: 'get_dispute', summary: 'Show a dispute', parameters: path, responses: {} },
    },
    '/disputes/{id}/appeal': {
      post: {
        operationId: 'appeal_dispute',
        summary: 'Appeal a dispute',
        tags: ['Appeals'],
        parameters: path,
        requestBody: form,
        responses: {},
      },
    },
    '/disputes/{id}/send-message': {
      post: {
        summary: 'Send a message',
        deprecated: true,
        parameters: path,
        requestBody: form,
        responses: {},
      },
    },
  },
};
const REASON = 'Its body is "multipart/mixed", which payctl does not write';
const home = importedForAll(DESCRIPTION);
const refusal = (name: string, id: string) => ({
  stdout: '',
  stderr: `Error: payctl cannot run "${name}": its body is "multipart/mixed", which payctl does not write (not_runnable)
Another program can send the request with a token that payctl signs.
Try: payctl api show ${id}
Try: payctl auth token --scope SCOPE
`,
  code: 2,
  sent: [],
});

describe('an operation that cannot be run', () => {
  it.each([
    [['disputes', 'appeal', '17']],
    [['disputes', 'appeal', '--help']],
    [['help', 'disputes', 'appeal']],
    [['api', 'call', 'appeal_dispute', '17']],
    [['api', 'call', 'POST', '/disputes/{id}/appeal', '17', '--dry-run']],
    [['api', 'call', 'disputes', 'appeal', '--help']],
  ])('is refused with the reason: %j', async (argv) => {
    expect(await runImported(argv, home)).toEqual(refusal('disputes appeal', 'appeal_dispute'));
  });

  it('is suggested where it is misspelt', async () => {
    expect((await runImported(['disputes', 'apeal', '17'], home)).stderr).toContain(
      'Did you mean: payctl disputes appeal',
    );
  });

  it('is listed with the reason, marked', async () => {
    const { stdout } = await runImported(['api', 'list', '--columns', 'COMMAND,RUNS,REASON'], home);
    expect(stdout).toBe(`COMMAND	RUNS	REASON
disputes list	yes	
disputes get	yes	
disputes appeal	no	${REASON}
disputes send-message	no	${REASON}
`);
    const json = await runImported(
      ['api', 'list', '--jq', '.items[] | [.command, .runnable, .reason]'],
      home,
    );
    expect(json.stdout.split('\n')).toEqual([
      '["disputes list",true,null]',
      '["disputes get",true,null]',
      `["disputes appeal",false,${JSON.stringify(REASON)}]`,
      `["disputes send-message",false,${JSON.stringify(REASON)}]`,
      '',
    ]);
  });

  it('is listed alone with --not-runnable', async () => {
    const names = async (...flags: string[]) =>
      await runImported(['api', 'list', '--not-runnable', '--jq', '.items[].command', ...flags], home);
    expect((await names()).stdout).toBe('disputes appeal\ndisputes send-message\n');
    expect((await names('--tag', 'appeals')).stdout).toBe('disputes appeal\n');
    expect(await names('--search', 'nothing')).toMatchObject({
      stdout: '',
      stderr: 'No operation has the text nothing and cannot be run.\n',
    });
    const all = importedHome({ ...DESCRIPTION, paths: { '/a': DESCRIPTION.paths['/disputes'] } });
    expect(await runImported(['api', 'list', '--not-runnable'], all)).toMatchObject({
      stdout: '',
      stderr: 'payctl can run every operation.\n',
      code: 0,
    });
  });

  it('is explained by api show', async () => {
    expect(
      (await runImported(['api', 'show', 'disputes', 'send-message'], home)).stdout,
    ).toBe(`payctl disputes send-message
  Send a message.

Not runnable  ${REASON}.
Request       POST /disputes/{id}/send-message
Operation     POST /disputes/{id}/send-message
Described     /paths/~1disputes~1{id}~1send-message/post/requestBody
              (body_not_json)
Deprecated    yes
`);
    const json = await runImported(['api', 'show', 'appeal_dispute', '--json'], home);
    expect(JSON.parse(json.stdout)).toEqual({
      id: 'appeal_dispute',
      command: 'disputes appeal',
      aliases: [],
      method: 'POST',
      path: '/disputes/{id}/appeal',
      summary: 'Appeal a dispute',
      tag: 'Appeals',
      deprecated: false,
      runnable: false,
      reason: REASON,
      code: 'body_not_json',
      pointer: '/paths/~1disputes~1{id}~1appeal/post/requestBody',
    });
  });

  it('takes no name from an operation that can be run', async () => {
    const get = {
      ...DESCRIPTION.paths['/disputes/{id}'].get,
      operationId: 'b',
      'x-payctl-name': 'things get',
    };
    const bad = { ...DESCRIPTION.paths['/disputes/{id}/appeal'].post, 'x-payctl-name': 'things get' };
    const described = importedHome({
      ...DESCRIPTION,
      paths: { '/a/{id}': { post: bad }, '/b/{id}': { get } },
    });
    const { stdout } = await runImported(['api', 'list', '--jq', '.items[] | [.id, .command]'], described);
    expect(stdout).toBe('["b","things get"]\n["appeal_dispute","appeal-dispute"]\n');
  });
});

describe('api list on 80 columns', () => {
  it('keeps the command, the path, and what cannot be run', async () => {
    const { runInProcess } = await import('../../commands/run-in-process.ts');
    const long = '/disputes/{id}/an-action-with-a-long-name/and-further-segments-below-it';
    const paths = { ...DESCRIPTION.paths, [long]: DESCRIPTION.paths['/disputes/{id}'] };
    const { home: directory, file } = importedHome({ ...DESCRIPTION, paths });
    const env = {
      PAYCTL_CONFIG_DIR: directory,
      PAYCTL_DESCRIPTION: file,
      TERM: 'xterm',
      PAYCTL_PAGER: 'cat',
    };
    const { stdout } = await runInProcess(['api', 'list'], { env: { ...env, NO_COLOR: '1' }, columns: 80 });
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^COMMAND +METHOD +PATH +RUNS$/);
    expect(rows.find((row) => row.startsWith('disputes appeal'))).toMatch(
      /^disputes appeal +POST +\/disputes\/\{id\}\/appeal +no$/,
    );
    for (const line of rows) expect(line.length).toBeLessThanOrEqual(80);
  });
});
