import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandTree } from '../../../scripts/help/tree.ts';
import { EXIT } from '../../../src/cli/failure/exit-code.ts';
import { connectionFlags, displayFlags } from '../../../src/cli/flags/global.ts';
import { COMMAND_OPERATIONS } from '../../../src/cli/routing/catalog/operations.ts';
import { CHANGING_VERBS, sendsAnyRequest } from '../../../src/cli/routing/help/describe-command.ts';
import { EXIT_CODES, formats, variables } from '../../../src/cli/routing/help/reference.ts';
import { listCommands } from '../../../src/cli/routing/route.ts';
import { ENVIRONMENT_VARIABLES } from '../../../src/config/environment.ts';
import { OUTPUT_FORMATS } from '../../../src/output/formats.ts';

const root = join(import.meta.dirname, '../../..');
const tree = await commandTree(root, '1.2.3');
const command = (name: string) => tree.commands.find((candidate) => candidate.command === name);
const flag = (name: string, flagName: string) =>
  command(name)?.flags.find((candidate) => candidate.name === flagName);

describe('the command tree', () => {
  it('holds every command', () => {
    expect(tree.commands.map((found) => found.command)).toEqual(listCommands(join(root, 'src/commands')));
    expect(tree).toMatchObject({ program: 'payctl', program_version: '1.2.3' });
  });

  it('describes the flags with their types, limits, defaults and variables', () => {
    expect(flag('buyers list', '--limit')).toEqual({
      name: '--limit',
      short: null,
      type: 'integer',
      placeholder: 'N',
      summary: 'Items per page, 1 to 100. The service defaults to 20.',
      values: null,
      minimum: 1,
      maximum: 100,
      max_length: null,
      default: '20',
      environment: null,
      repeatable: false,
      required: false,
      shared: false,
      group: 'PAGING',
    });
    expect(flag('buyers list', '--output')).toMatchObject({
      short: '-o',
      type: 'enumeration',
      values: OUTPUT_FORMATS,
      default: 'table',
      environment: 'PAYCTL_OUTPUT',
      shared: true,
    });
    expect(flag('buyers list', '--timeout')).toMatchObject({ type: 'duration', default: '30s' });
    expect(flag('buyers list', '--cursor')).toMatchObject({ type: 'string', max_length: 1000 });
    expect(flag('buyers list', '--columns')).toMatchObject({ type: 'list' });
    expect(flag('auth token', '--expires-in')).toMatchObject({ type: 'duration', default: '5m' });
    expect(flag('checkout-sessions update', '--data')).toMatchObject({ type: 'json', shared: false });
    expect(flag('checkout-sessions update', '--metadata')).toMatchObject({ type: 'pair', repeatable: true });
    expect(flag('auth login', '--key-file')).toMatchObject({ type: 'file' });
    expect(flag('auth login', '--profile')).toMatchObject({ shared: false, environment: 'PAYCTL_PROFILE' });
    expect(flag('profiles set', '--base-url')).toMatchObject({ shared: false, environment: null });
  });

  it('says for each operation what it sends, needs and changes', () => {
    for (const [name, { method, path, scopes, piiScope = null }] of Object.entries(COMMAND_OPERATIONS)) {
      expect(command(name), name).toMatchObject({
        request: { method, path, scopes, pii_scope: piiScope },
        changes: method === 'GET' ? 'nothing' : 'service',
      });
    }
    expect(command('profiles list')).toMatchObject({ request: null, changes: 'nothing' });
    expect(command('profiles delete')).toMatchObject({ request: null, changes: 'local' });
    expect(command('emulator stop')).toMatchObject({ request: null, changes: 'local' });
  });

  it('says of a command that reads a list, but is none of the contract, what it requests', () => {
    expect(command('buyers find')).toMatchObject({
      request: { method: 'GET', path: '/buyers' },
      further_requests: [
        { path: '/payment-methods', scopes: ['payment-methods.read'] },
        { path: '/buyers/gift-cards', scopes: ['gift-cards.read', 'embed'] },
        { path: '/audit-logs', scopes: ['audit-logs.read'] },
      ],
      changes: 'nothing',
    });
    expect(command('api-logs get')).toMatchObject({ request: { path: '/api-logs' }, further_requests: [] });
    expect(command('api-logs get')?.exit_codes).toContain(EXIT.notFound);
    expect(command('profiles list')).toMatchObject({ further_requests: [] });
  });

  it('knows for every verb whether it changes something', () => {
    const reading = new Set([
      'inspect',
      'status',
      'token',
      'completion',
      'diff',
      'doctor',
      'get',
      'list',
      'show',
      'summary',
      'tail',
      'describe',
      'diff',
      'model',
      'rows',
      'reconcile',
      'verify',
      'trigger',
    ]);
    const own = tree.commands.filter(
      ({ request, command: name }) => request === null && !sendsAnyRequest(name),
    );
    const verbs = new Set(own.map((found) => found.command.split(' ').at(-1) ?? ''));
    expect([...verbs].filter((verb) => reading.has(verb) === CHANGING_VERBS.has(verb))).toEqual([]);
  });

  it('names the exit codes of each command', () => {
    expect(command('buyers list')?.exit_codes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 129, 130, 143]);
    expect(command('profiles list')?.exit_codes).toEqual([0, 1, 2, 129, 130, 143]);
    expect(command('auth status')?.exit_codes).toEqual([0, 1, 2, 3, 129, 130, 143]);
    const known = new Set(EXIT_CODES.map(([code]) => code));
    expect(
      tree.commands.flatMap(({ exit_codes: codes }) => codes.filter((code) => !known.has(code))),
    ).toEqual([]);
  });

  it('lists only flags that do something in the command', () => {
    expect(flag('roles list', '--merchant-account')).toBeUndefined();
    expect(flag('buyers list', '--merchant-account')).toBeDefined();
    for (const name of ['--timeout', '--max-retries']) {
      expect(flag('auth status', name)).toBeUndefined();
      expect(flag('doctor', name)).toBeDefined();
    }
  });

  it('calls flags shared that every command has', () => {
    const shared = new Set(
      Object.keys({ ...displayFlags(), ...connectionFlags() }).map((name) => `--${name}`),
    );
    const { flags = [] } = command('buyers list') ?? {};
    for (const found of flags)
      if (shared.has(found.name)) expect(found, found.name).toMatchObject({ shared: true });
  });

  it('holds a summary for everything, and an example for every command', () => {
    const mute = tree.commands.filter(
      ({ summary, examples }) => !summary.endsWith('.') || examples.length === 0,
    );
    expect(mute).toEqual([]);
    const muteFlags = tree.commands.flatMap((found) =>
      [...found.flags, ...found.arguments].filter(({ summary }) => !summary.endsWith('.')),
    );
    expect(muteFlags).toEqual([]);
  });
});

describe('the tables of the help', () => {
  it('describe every variable that payctl reads', () => {
    expect(
      variables()
        .map(([name]) => name)
        .sort(),
    ).toEqual(Object.values(ENVIRONMENT_VARIABLES).sort());
  });

  it('describe every output format', () => {
    expect(formats().filter(([, text]) => text === '')).toEqual([]);
  });

  it('describe every exit code, in order', () => {
    const codes = EXIT_CODES.map(([code]) => code);
    expect(codes).toEqual(expect.arrayContaining(Object.values(EXIT)));
    expect(codes).toEqual(codes.toSorted((first, second) => first - second));
  });
});
