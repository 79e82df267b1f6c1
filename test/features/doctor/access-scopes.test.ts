import { describe, expect, it } from 'vitest';
import type { Outcome, ProbeId } from '../../../src/cli/catalog/probes.ts';
import { ApiError } from '../../../src/client/errors.ts';
import { operations } from '../../../src/contract/generated/operations.ts';
import { type CommandScope, judgeCommands, judgeScopes } from '../../../src/features/doctor/access.ts';
import type { TokenContent } from '../../../src/tokens/claims.ts';

const COMMANDS = {
  'buyers list': operations.listBuyers,
  'roles list': operations.listRoles,
  'buyers gift-cards list': operations.listGiftCards,
  'checkout-sessions get': operations.getCheckoutSession,
};

function answered(status: number): Outcome {
  const request = { method: 'GET', path: '/buyers', origin: 'https://api.example.com' };
  return status < 300
    ? { status }
    : { status, error: new ApiError('code', 'message', { status, request, attempts: 1 }) };
}

function contentOf(claims: Record<string, unknown>, scopes: readonly string[]): TokenContent {
  const none = { keyId: undefined, issuedAt: undefined, notBefore: undefined, expiresAt: undefined };
  return { header: {}, claims, scopes, ...none };
}

function states(outcomes: Partial<Record<ProbeId, number>>, claims?: TokenContent) {
  const map = new Map(
    Object.entries(outcomes).map(([id, status]) => [id as ProbeId, answered(status)] as const),
  );
  const commands = judgeCommands(COMMANDS, { outcomes: map, claims });
  return commands.map(({ state, by }) => (by === null ? state : `${state} by ${by}`));
}

describe('what a command may', () => {
  it('is what the service answered, and is not tried where it could not be asked', () => {
    expect(states({ listBuyers: 200, listRoles: 403, listGiftCards: 404 })).toEqual([
      'allowed by service',
      'refused by service',
      'unknown by service',
      'not_tried',
    ]);
  });

  it('is what the claims of a token say where the service was not asked; any scope of the operation will do', () => {
    const claims = contentOf({ scopes: [] }, ['embed', '*.write']);
    expect(states({ listBuyers: 200 }, claims)).toEqual([
      'allowed by service',
      'refused by claims',
      'allowed by claims',
      'refused by claims',
    ]);
  });

  it('is not told by a token that has no claim for scopes', () => {
    expect(states({}, contentOf({ sub: 'somebody' }, []))).toEqual(Array(4).fill('not_tried'));
  });

  it('comes with the scope to ask for', () => {
    const commands = judgeCommands(COMMANDS, { outcomes: new Map(), claims: undefined });
    expect(commands.map(({ command, scope }) => `${command}: ${scope}`)).toEqual([
      'buyers list: buyers.read',
      'roles list: roles.read',
      'buyers gift-cards list: gift-cards.read',
      'checkout-sessions get: checkout-sessions.read',
    ]);
  });
});

describe('judgeScopes', () => {
  const commands = (...states: CommandScope['state'][]): CommandScope[] =>
    states.map((state, index) => ({ command: `c${index}`, scope: `s${index % 2}`, state, by: 'service' }));

  it('is good when everything is allowed', () => {
    expect(judgeScopes(commands('allowed', 'allowed'), 'token')).toEqual({
      state: 'ok',
      message: '2 of 2 commands are allowed',
      facts: { allowed: 2, refused: 0, commands: commands('allowed', 'allowed') },
    });
  });

  it('says how many could not be tried', () => {
    expect(judgeScopes(commands('allowed', 'not_tried', 'not_tried'), 'key')).toMatchObject({
      state: 'ok',
      message:
        '1 of 1 commands that can be tried are allowed; 2 not tried (they change something, or need an id)',
    });
  });

  it('warns of some that are refused, by name, and names the missing scopes once', () => {
    expect(judgeScopes(commands('allowed', 'refused', 'allowed', 'refused'), 'token')).toMatchObject({
      state: 'warning',
      message: '2 of 4 commands are allowed; refused: c1, c3',
      remedy: 'Get a token that has these scopes as well: s1.',
    });
  });

  it('is a fault when all are refused', () => {
    expect(judgeScopes(commands('refused', 'refused', 'not_tried'), 'key')).toMatchObject({
      state: 'fault',
      message:
        '0 of 2 commands that can be tried are allowed; refused: c0, c1; 1 not tried (they change something, or need an id)',
      remedy: 'Ask whoever administers the API key for these scopes: s0, s1.',
    });
  });

  it('warns of answers that tell nothing', () => {
    expect(judgeScopes(commands('allowed', 'unknown'), 'key')).toMatchObject({
      state: 'warning',
      message: '1 of 2 commands are allowed; no clear answer: c1',
      remedy: 'Try again later.',
    });
    expect(judgeScopes(commands('refused', 'unknown'), 'key').state).toBe('warning');
  });
});
