import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/files/kernel-lock.ts';
import { answeringBuyers } from '../e2e/paged-service.ts';
import { RECORDS, refuse, run, serve, whole } from './copied-buyers.ts';

const unwritten = (file: string, reason: string, rest = '') =>
  `Error: "./copy/${file}" cannot be written: ${reason}${rest} (file_unwritable)\n`;

describe('a copy whose files cannot be written', () => {
  it.each(['schema.sql', 'manifest.json'])('is not whole without %s, and is continued', async (file) => {
    const service = await serve();
    const path = join(service.copy, file);
    service.respond({
      3: (request, response) => {
        mkdirSync(path);
        answeringBuyers(RECORDS)(request, response);
      },
    });
    const rest = '; "./copy" has 1 file (250 records)';
    const { code, stdout, stderr } = await whole(service);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${unwritten(file, 'it is a directory', rest)}Resume with: payctl export --resume ./copy\n`,
    });
    expect(stdout).toMatch(/buyers\t\t250\t1\t\d+\tincomplete\n$/);
    rmSync(path, { recursive: true });
    expect(await run(service, ['export', '--resume', service.copy])).toMatchObject({ code: 0 });
    expect(await run(service, ['export', 'verify', service.copy])).toMatchObject({ code: 0 });

    service.respond(
      {
        3: (request, response) => {
          rmSync(path);
          mkdirSync(path);
          answeringBuyers(RECORDS + 7)(request, response);
        },
      },
      RECORDS + 7,
    );
    const synced = await run(service, ['sync', '--to', service.copy]);
    expect(synced.code).toBe(1);
    expect(synced.stdout).toMatch(/buyers\t\t7\t0\t250\t0\tincomplete\n$/);
    expect(synced.stderr).toContain(
      `${unwritten(file, 'it is a directory', '; "./copy" has 2 files (257 records)')}Resume with: payctl sync`,
    );
    // Nothing was sent.
    expect(await run(service, ['sync', '--to', service.copy])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: unwritten(file, 'it is a directory'),
    });
  });

  it('is said to fail as its list does, where that fails first', async () => {
    const service = await serve();
    await whole(service);
    service.respond({
      2: (request, response) => {
        rmSync(join(service.copy, 'schema.sql'));
        mkdirSync(join(service.copy, 'schema.sql'));
        refuse(503, 'unavailable', 'Try later')(request, response);
      },
    });
    const { code, stderr } = await run(service, ['sync', '--to', service.copy]);
    expect(code).toBe(8);
    expect(stderr).toContain('Error: Try later; "./copy" has 1 file (250 records) (503 unavailable)\n');
  });

  it('names the state that cannot be written', async () => {
    const service = await serve();
    await whole(service);
    service.respond({}, RECORDS + 7);
    await run(service, ['sync', '--to', service.copy]);
    const { DatabaseSync } = loadSqlite();
    using database = new DatabaseSync(join(service.copy, '.state.sqlite'));
    database.exec(
      `CREATE TRIGGER full BEFORE DELETE ON parts BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END`,
    );
    expect(await run(service, ['sync', '--compact', '--to', service.copy])).toEqual({
      code: 1,
      stdout: '',
      stderr: unwritten('.state.sqlite', 'database or disk is full'),
    });
  });
});
