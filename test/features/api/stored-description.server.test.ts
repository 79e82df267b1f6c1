import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { largeDescription } from '../../descriptions/large-description.ts';
import type { Answer } from '../../harness/http-server.ts';
import { importedHome, runImported } from './run-imported.ts';

const empty: Answer = { body: { items: [], next_cursor: null } };

/** A description with a list of payouts. */
const payouts = () => {
  const { paths, ...description } = largeDescription();
  return { ...description, paths: { '/payouts': (paths as Readonly<Record<string, unknown>>)['/payouts'] } };
};

/** Changes one byte of the operations of the only import below a directory, so far from their end. */
function damage(home: string, fromEnd: number): string {
  const above = join(home, 'data', 'descriptions');
  const [name = ''] = readdirSync(above);
  const folder = join(above, name);
  const [data = ''] = readdirSync(folder).filter((file) => file.endsWith('.data'));
  const bytes = readFileSync(join(folder, data));
  bytes[bytes.length - fromEnd] = 0x7e;
  writeFileSync(join(folder, data), bytes);
  return folder;
}

describe('an imported description that was damaged', () => {
  it.each([
    [['payouts', 'list']],
    [['api', 'get', '/payouts']],
    [['api', 'call', 'get_payouts']],
    [['emulator', 'start']],
  ])('is named before the emulator is asked: %j', async (argv) => {
    const { home, file } = importedHome(payouts());
    const [plain, env] = [{ home, file: undefined }, { PAYCTL_BASE_URL: '' }];
    expect(
      await runImported(['api', 'import', file, '--profile', 'emulator', '-q'], plain, { env }),
    ).toMatchObject({ code: 0 });
    const folder = damage(home, 3000);
    expect(await runImported([...argv, '--profile', 'emulator'], plain, { env })).toEqual({
      stdout: '',
      stderr: `Error: The imported description in ${folder} is damaged (description_damaged)\nImport it again: payctl api import FILE\n`,
      code: 2,
      sent: [],
    });
    expect(
      await runImported(['api', 'import', file, '--profile', 'emulator', '-q'], plain, { env }),
    ).toMatchObject({ code: 0 });
    if (argv[0] !== 'emulator') {
      expect(await runImported([...argv, '--profile', 'emulator', '-q'], plain, { env })).toMatchObject({
        stderr: '',
        code: 0,
      });
    }
  });
});

describe('a directory in which nothing can be stored', () => {
  it('does not keep a described command from running', async () => {
    const { home, file } = importedHome(payouts());
    const closed = { home: join(file, 'below'), file };
    expect(await runImported(['payouts', 'list', '-o', 'json'], closed, { script: [empty] })).toEqual({
      stdout: '{"items":[],"next_cursor":null}\n',
      stderr: '',
      code: 0,
      sent: [['GET', '/payouts']],
    });
    expect(readdirSync(home)).toEqual(['openapi.json']);
  });

  it('is named by an import', async () => {
    const { file } = importedHome(payouts());
    const home = join(file, 'below');
    const refused = await runImported(['api', 'import', file], { home, file: undefined });
    expect(refused).toMatchObject({ stdout: '', code: 2 });
    expect(refused.stderr).toContain('cannot be written: part of the path is not a directory');
  });
});
