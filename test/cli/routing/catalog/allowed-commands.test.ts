import { describe, expect, it } from 'vitest';
import { commandAccess } from '../../../../src/cli/routing/catalog/allowed-commands.ts';
import { COMMAND_OPERATIONS } from '../../../../src/cli/routing/catalog/operations.ts';

/** The commands of the specification's endpoints; there may be others that need the same scopes. */
const SPECIFIED = Object.fromEntries(
  [
    'api-logs list',
    'audit-logs list',
    'buyers gift-cards list',
    'buyers list',
    'buyers shipping-details create',
    'checkout-sessions get',
    'checkout-sessions update',
    'digital-wallets list',
    'payment-methods list',
    'payment-service-definitions sessions create',
    'roles list',
    'webhook-subscriptions list',
  ].flatMap((command) => {
    const operation = COMMAND_OPERATIONS[command];
    return operation ? [[command, operation]] : [];
  }),
);
const allowed = (held: readonly string[] | undefined) =>
  commandAccess(held, SPECIFIED).flatMap(({ command, access }) => (access === 'allowed' ? [command] : []));
const accessTo = (command: string, held: readonly string[] | undefined) =>
  commandAccess(held).find((checked) => checked.command === command);

describe('commandAccess', () => {
  it('lists every command once, and once more those that can reveal personal data', () => {
    const commands = commandAccess([]);
    const plain = commands.filter(({ revealsPii }) => !revealsPii);
    expect(plain.map(({ command }) => command)).toEqual(Object.keys(COMMAND_OPERATIONS));
    const revealing = commandAccess([], SPECIFIED).filter(({ revealsPii }) => revealsPii);
    expect(revealing.map(({ command }) => command)).toEqual([
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
  ])('allows with %j only %j, and refuses the others', (held, commands) => {
    expect(allowed(held)).toEqual(commands);
    const others = commandAccess(held, SPECIFIED).filter(
      ({ command }) => !commands.some((name) => name === command),
    );
    expect(new Set(others.map(({ access }) => access))).toEqual(new Set(['refused']));
  });

  it('allows everything with *', () => {
    expect(new Set(commandAccess(['*']).map(({ access }) => access))).toEqual(new Set(['allowed']));
  });

  it('knows nothing of any command without a scope claim, and lacks nothing', () => {
    for (const { access, lacking, needed } of commandAccess(undefined)) {
      expect({ access, lacking }).toEqual({ access: 'unknown', lacking: [] });
      expect(needed).not.toEqual([]);
    }
  });

  it('says which scopes are needed and which of them are lacking', () => {
    expect(accessTo('buyers gift-cards list', [])).toMatchObject({
      access: 'refused',
      needed: ['gift-cards.read or embed'],
      lacking: ['gift-cards.read or embed'],
    });
    expect(accessTo('buyers list --reveal-pii', ['buyers.read'])).toMatchObject({
      access: 'refused',
      needed: ['buyers.read', 'buyers.billing-details.read'],
      lacking: ['buyers.billing-details.read'],
    });
  });
});
