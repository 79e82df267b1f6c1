import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionData } from '../../../scripts/render-completion.ts';
import {
  API_LOG_COLUMNS,
  AUDIT_LOG_COLUMNS,
  BUYER_COLUMNS,
  DIGITAL_WALLET_COLUMNS,
  GIFT_CARD_COLUMNS,
  PAYMENT_METHOD_COLUMNS,
  ROLE_COLUMNS,
  WEBHOOK_SUBSCRIPTION_COLUMNS,
} from '../../../src/cli/catalog/columns.ts';
import { COMMAND_OPERATIONS } from '../../../src/cli/catalog/operations.ts';
import { listCommands } from '../../../src/cli/route.ts';
import { SHELLS } from '../../../src/features/completion/scripts.ts';
import type { Column } from '../../../src/output/columns.ts';
import { OUTPUT_FORMATS } from '../../../src/output/format.ts';

const root = join(import.meta.dirname, '../../..');
const { commands } = await completionData(root);
const { commands: manifest } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
const flagOf = (command: string, name: string) => commands[command]?.flags.find((flag) => flag.name === name);

const TABLES: readonly (readonly [command: string, columns: readonly Column[]])[] = [
  ['api-logs list', API_LOG_COLUMNS],
  ['audit-logs list', AUDIT_LOG_COLUMNS],
  ['buyers gift-cards list', GIFT_CARD_COLUMNS],
  ['buyers list', BUYER_COLUMNS],
  ['digital-wallets list', DIGITAL_WALLET_COLUMNS],
  ['payment-methods list', PAYMENT_METHOD_COLUMNS],
  ['roles list', ROLE_COLUMNS],
  ['webhook-subscriptions list', WEBHOOK_SUBSCRIPTION_COLUMNS],
];

describe('the data of completion', () => {
  it('hold every command with its summary, in the order of their names', () => {
    expect(Object.keys(commands)).toEqual([...listCommands(join(root, 'src/commands'))].sort());
    for (const [name, { summary }] of Object.entries(commands)) {
      expect(summary).toBe(manifest[name.replaceAll(' ', ':')].summary);
    }
  });

  it('hold every flag of every command, those of all commands last', () => {
    for (const [name, { flags }] of Object.entries(commands)) {
      const expected = Object.keys(manifest[name.replaceAll(' ', ':')].flags);
      expect(flags.map((flag) => flag.name).sort()).toEqual(expected.sort());
    }
    const names = commands['buyers list']?.flags.map(({ name }) => name) ?? [];
    expect(names.indexOf('columns')).toBeLessThan(names.indexOf('output'));
  });

  it('tell what completes the value of a flag or an argument', () => {
    expect(flagOf('buyers list', 'output')).toMatchObject({ char: 'o', value: OUTPUT_FORMATS });
    expect(flagOf('buyers list', 'profile')).toMatchObject({ value: 'profile' });
    expect(flagOf('buyers list', 'columns')).toMatchObject({ value: 'columns' });
    expect(flagOf('buyers list', 'search')).toMatchObject({ value: 'unknown' });
    expect(flagOf('emulator start', 'faults')).toMatchObject({ value: 'file' });
    expect(flagOf('checkout-sessions update', 'cart-items')).toMatchObject({ value: 'text-or-file' });
    expect(flagOf('checkout-sessions update', 'metadata')).toMatchObject({
      value: 'unknown',
      multiple: true,
    });
    expect(flagOf('buyers list', 'all')).toEqual({ name: 'all', summary: 'Follow the pages to the end.' });
    expect(commands.completion?.args).toEqual([SHELLS]);
    expect(commands['checkout-sessions get']?.args).toEqual(['unknown']);
    const verbs = ['show', 'use', 'set', 'delete'].map((verb) => commands[`profiles ${verb}`]?.args);
    expect(verbs).toEqual([['profile'], ['profile'], ['stored-profile'], ['stored-profile']]);
  });
});

describe('the columns', () => {
  it.each(TABLES)('of %s begin with those of its table', (command, columns) => {
    const paths = columns.map(({ path }) => path);
    expect(commands[command]?.columns.slice(0, paths.length)).toEqual(paths);
  });

  it('are known for every command that calls an operation and shows what it answers', () => {
    const withoutTable = Object.keys(COMMAND_OPERATIONS).filter(
      (command) => command.endsWith(' list') && !TABLES.some(([name]) => name === command),
    );
    expect(withoutTable).toEqual([]);
    const unknown = Object.keys(COMMAND_OPERATIONS).filter(
      (command) => flagOf(command, 'columns') && !commands[command]?.columns.includes('id'),
    );
    expect(unknown).toEqual(['payment-service-definitions sessions create']);
  });

  it('go on with the other fields of the resource, each once', () => {
    expect(commands['buyers gift-cards list']?.columns.slice(GIFT_CARD_COLUMNS.length)).toEqual([
      'type',
      'merchant_account_id',
      'sub_bin',
      'balance_raw_error_code',
      'balance_raw_error_message',
    ]);
    for (const { columns, deepColumns } of Object.values(commands)) {
      const all = [...columns, ...deepColumns];
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it('that lie deep are kept apart', () => {
    expect(commands['payment-methods list']?.deepColumns).toContain('buyer.billing_details.address.city');
    expect(commands['buyers list']?.columns).not.toContain('billing_details.address.city');
    expect(commands['payment-service-definitions sessions create']).toMatchObject({
      columns: ['type', 'status', 'code', 'status_code', 'response_body'],
      deepColumns: [],
    });
  });

  it('are none for a command that shows no columns', () => {
    expect(commands['emulator start']).toMatchObject({ columns: [], deepColumns: [] });
  });
});
