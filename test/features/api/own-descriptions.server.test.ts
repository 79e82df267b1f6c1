import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STYLES } from '../../descriptions/styles.ts';
import { importedHome, runImported } from './run-imported.ts';

const page = join(import.meta.dirname, '../../../docs/own-descriptions.md');

/** The style that each file of the page is in. */
const FILES: Readonly<Record<string, string>> = {
  'data.json': 'a member "data"',
  'named.json': 'a member with the name of the record',
  'hal.json': 'HAL',
  'jsonapi.json': 'JSON:API',
  'metadata.json': 'names in metadata',
  'procedures.json': 'procedures with dots',
};

/** A command of the page and what it prints. */
const BLOCK = /```console\n\$ PAYCTL_DESCRIPTION=(\S+) payctl (.*)\n[\s\S]*?```/g;

/** A block with what its command prints now, on a terminal of 110 columns. */
async function printed(file: string, command: string): Promise<string> {
  const style = STYLES.find(({ name }) => name === FILES[file]);
  const described = importedHome(file === 'corrected.yaml' ? corrected() : (style?.document ?? {}));
  const { stdout, stderr } = await runImported(command.split(' '), described, { columns: 110 });
  const output = (stdout + stderr).replaceAll(/[ \t]+$/gm, '').trimEnd();
  return `\`\`\`console\n$ PAYCTL_DESCRIPTION=${file} payctl ${command}\n${output}\n\`\`\``;
}

describe('the page about descriptions of your own', () => {
  it('shows what payctl prints of six styles', async () => {
    const text = readFileSync(page, 'utf8');
    let now = text;
    for (const [block, file = '', command = ''] of text.matchAll(BLOCK)) {
      const output = await printed(file, command);
      now = now.replace(block, () => output);
    }
    if (process.env.UPDATE_PAGES) writeFileSync(page, now);
    expect(now).toBe(text);
    expect([...text.matchAll(BLOCK)].map(([, file]) => file)).toEqual(
      expect.arrayContaining(Object.keys(FILES)),
    );
  });

  it('says where a wrapper is empty', async () => {
    const script = [{ body: '{"outcome":{},"elapsed":3}' }];
    const described = importedHome(corrected());
    expect(await runImported(['tickets', 'get', 'a'], described, { script })).toMatchObject({
      stdout: '',
      stderr: 'The response has no fields.\n',
      code: 0,
    });
    const json = await runImported(['tickets', 'get', 'a', '-o', 'json'], described, { script });
    expect(json.stdout).toBe('{"outcome":{},"elapsed":3}\n');
  });

  it('shows the model as JSON, with null for what is unknown', async () => {
    const { stdout } = await runImported(['emulator', 'model', '-o', 'json'], importedHome(corrected()));
    expect(JSON.parse(stdout).items[2]).toEqual({
      id: 'park_ticket',
      command: 'tickets park',
      method: 'POST',
      path: '/tickets/{ticket}/park',
      action: 'custom',
      resource: '/tickets',
      record_id: 'ref',
      id_parameter: null,
      response_record: null,
      body_record: null,
      new_status: 'waiting',
    });
  });

  it('corrects where the record is, also for --columns', async () => {
    const script = [{ body: '{"outcome":{"ref":"a","status":"open"},"elapsed":3}' }];
    const argv = ['tickets', 'get', 'a', '--columns', 'status'];
    expect(await runImported(argv, importedHome(corrected()), { script })).toMatchObject({
      stdout: 'status\topen\n',
      stderr: '',
      code: 0,
    });
  });
});

/** A description whose paths and names do not say enough, with the extensions that the page shows. */
function corrected(): unknown {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8')) ?? [];
  return yaml;
}
