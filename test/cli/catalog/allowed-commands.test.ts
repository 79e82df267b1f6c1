import { describe, expect, it } from 'vitest';
import { judgeCommands } from '../../../src/cli/catalog/allowed-commands.ts';
import { COMMAND_OPERATIONS } from '../../../src/cli/catalog/operations.ts';

const good = (held: readonly string[]) =>
  judgeCommands(held).flatMap(({ command, lacking }) => (lacking.length === 0 ? [command] : []));
const verdict = (command: string, held: readonly string[]) =>
  judgeCommands(held).find((judged) => judged.command === command);

describe('judgeCommands', () => {
  it('judges every command once, and once more those that can reveal personal data', () => {
    const commands = judgeCommands([]).map(({ command }) => command);
    expect(commands.filter((command) => !command.endsWith(' --reveal-pii'))).toEqual(
      Object.keys(COMMAND_OPERATIONS),
    );
    expect(commands.filter((command) => command.endsWith(' --reveal-pii'))).toEqual([
      'buyers list --reveal-pii',
      'payment-methods list --reveal-pii',
    ]);
  });

  it.each([
    [[], []],
    [['buyers.read'], ['buyers list']],
    [['buyers.billing-details.read'], []],
    [
      ['buyers.read', 'buyers.billing-details.read'],
      ['buyers list', 'buyers list --reveal-pii'],
    ],
    [['embed'], ['buyers gift-cards list']],
    [['gift-cards.*'], ['buyers gift-cards list']],
    [['buyers.*'], ['buyers list', 'buyers list --reveal-pii', 'buyers shipping-details create']],
    [
      ['*.write'],
      [
        'buyers shipping-details create',
        'checkout-sessions update',
        'payment-service-definitions sessions create',
      ],
    ],
  ])('opens with %j only %j', (held, commands) => {
    expect(good(held)).toEqual(commands);
  });

  it('opens everything with *', () => {
    expect(good(['*'])).toEqual(judgeCommands([]).map(({ command }) => command));
  });

  it('says which scopes are needed and which of them are lacking', () => {
    expect(verdict('buyers gift-cards list', [])).toEqual({
      command: 'buyers gift-cards list',
      needed: ['gift-cards.read or embed'],
      lacking: ['gift-cards.read or embed'],
    });
    expect(verdict('buyers list --reveal-pii', ['buyers.read'])).toEqual({
      command: 'buyers list --reveal-pii',
      needed: ['buyers.read', 'buyers.billing-details.read'],
      lacking: ['buyers.billing-details.read'],
    });
  });
});
