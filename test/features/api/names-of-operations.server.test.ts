import { describe, expect, it } from 'vitest';
import ApiShow from '../../../src/commands/api/show.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { importedCompletion } from '../../../src/features/api/imported-completion.ts';
import { largeDescription } from '../../descriptions/large-description.ts';
import { importedForAll, importedHome, runImported } from './run-imported.ts';

const NAMES: readonly (readonly [readonly string[], string])[] = [
  [['get_payouts'], '/payouts'],
  [['payouts', 'list'], '/payouts'],
  [['GET', '/payouts'], '/payouts'],
  [['get /payouts'], '/payouts'],
  // Those of payctl's own contract, which the description does not have.
  [['listRoles'], '/roles'],
  [['roles', 'list'], '/roles'],
  [['GET', '/roles'], '/roles'],
];
const ID = '804ee0c6-9069-494a-a6cb-511fabfa6360';
const page = { body: { items: [{ id: 'a' }], next_cursor: null } };

const large = importedForAll(largeDescription());

describe('the names of an operation', () => {
  it.each(NAMES)('are the same for api call and api show: %j', async (words, path) => {
    const shown = await runImported(['api', 'show', ...words, '--jq', '.path'], large);
    expect(shown).toEqual({ stdout: `${path}\n`, stderr: '', code: 0, sent: [] });
    const called = await runImported(['api', 'call', ...words, '-o', 'ndjson'], large, { script: [page] });
    expect(called).toEqual({ stdout: '{"id":"a"}\n', stderr: '', code: 0, sent: [['GET', path]] });
  });

  it.each(NAMES.slice(4))('are those of payctl itself before an import: %j', async (words, path) => {
    const home = { ...importedHome({}), file: undefined };
    const shown = await runImported(['api', 'show', ...words, '--jq', '.path'], home);
    expect(shown).toMatchObject({ stdout: `${path}\n`, code: 0 });
    const called = await runImported(['api', 'call', ...words, '-o', 'ndjson'], home, { script: [page] });
    expect(called).toMatchObject({ stdout: '{"id":"a"}\n', sent: [['GET', path]] });
    const help = await runImported(['api', 'call', ...words, '--help'], home);
    expect(help.stdout).toContain(`Usage: payctl api call ${words.join(' ')} [FLAGS]`);
  });

  it('leave the words after the name to the operation', async () => {
    const called = await runImported(['api', 'call', '--quiet', 'transactions', 'get', ID, '--json'], large, {
      script: [{ body: { id: ID } }],
    });
    expect(called).toEqual({
      stdout: `{"id":"${ID}"}\n`,
      stderr: '',
      code: 0,
      sent: [['GET', `/transactions/${ID}`]],
    });
  });

  it.each(ApiShow.examples.map(({ command }) => [command]))(
    'work in the example %s, with an import',
    async (command) => {
      const words = command.split(' ').slice(1);
      expect(await runImported(words, large)).toMatchObject({
        code: 0,
        stderr: '',
      });
    },
  );
});

describe('completion of the names of operations', () => {
  const complete = async (words: readonly string[], file?: string) => {
    const environment = readEnvironment({
      PAYCTL_CONFIG_DIR: large.home,
      ...(file === 'none' ? {} : { PAYCTL_DESCRIPTION: large.file }),
    });
    return await importedCompletion(words, environment);
  };

  it.each(['api call', 'api show'])('offers ids and commands after %s', async (call) => {
    const { commands = {}, topics = {} } = (await complete(call.split(' '))) ?? {};
    expect(Object.keys(commands)).toEqual(
      expect.arrayContaining([
        `${call} get_payouts`,
        `${call} payouts list`,
        `${call} listRoles`,
        `${call} roles list`,
      ]),
    );
    expect(topics).toHaveProperty([`${call} payouts`]);
  });

  it('offers those of payctl itself before an import, and the flags of the one that is typed', async () => {
    const { commands = {} } = (await complete(['api', 'call', 'roles', 'list'], 'none')) ?? {};
    expect(Object.keys(commands)).toContain('api call listBuyers');
    expect(commands['api call roles list']?.flags.map(({ name }) => name)).toContain('cursor');
    expect(await complete(['transactions'], 'none')).toBeUndefined();
  });

  it('offers the members of a body after -F', async () => {
    const { commands = {} } = (await complete(['transactions', 'refunds', 'create'])) ?? {};
    const field = commands['transactions refunds create']?.flags.find(({ name }) => name === 'field');
    expect(field?.value).toEqual({ members: expect.arrayContaining(['amount=', 'reason=']) });
  });
});
