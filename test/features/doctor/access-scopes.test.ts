import { describe, expect, it } from 'vitest';
import type { Outcome, ProbeId } from '../../../src/cli/routing/catalog/probes.ts';
import { ApiError } from '../../../src/client/errors.ts';
import { operations } from '../../../src/contract/generated/operations.ts';
import { type CommandScope, evaluateCommands, evaluateScopes } from '../../../src/features/doctor/access.ts';
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

function contentOf(claims: Record<string, unknown>, scopes: TokenContent['scopes']): TokenContent {
  const none = { keyId: undefined, issuedAt: undefined, notBefore: undefined, expiresAt: undefined };
  return { header: {}, claims, scopes, ...none };
}

function states(outcomes: Partial<Record<ProbeId, number>>, claims?: TokenContent) {
  const map = new Map(
    Object.entries(outcomes).map(([id, status]) => [id as ProbeId, answered(status)] as const),
  );
  const commands = evaluateCommands({ outcomes: map, claims }, COMMANDS);
  return commands.map(({ state, by }) => (by === null ? state : `${state} by ${by}`));
}

describe('what a command may', () => {
  it('is what the service answered, and is not tried where it could not be asked', () => {
    expect(states({ listBuyers: 200, listRoles: 403, listGiftCards: 404 })).toEqual([
      'allowed by service',
      'refused by service',
      'missing by service',
      'not_tried',
    ]);
    expect(states({ listBuyers: 500, listRoles: 405, listGiftCards: 501 }).slice(0, 3)).toEqual([
      'unknown by service',
      'missing by service',
      'missing by service',
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
    expect(states({}, contentOf({ sub: 'somebody' }, undefined))).toEqual(Array(4).fill('not_tried'));
    expect(states({}, contentOf({ scopes: [] }, []))).toEqual(Array(4).fill('refused by claims'));
  });

  it('comes with the scope to ask for', () => {
    const commands = evaluateCommands({ outcomes: new Map(), claims: undefined }, COMMANDS);
    expect(commands.map(({ command, scope }) => `${command}: ${scope}`)).toEqual([
      'buyers list: buyers.read',
      'roles list: roles.read',
      'buyers gift-cards list: gift-cards.read',
      'checkout-sessions get: checkout-sessions.read',
    ]);
  });
});

describe('evaluateScopes', () => {
  const commands = (...states: CommandScope['state'][]): CommandScope[] =>
    states.map((state, index) => ({ command: `c${index}`, scope: `s${index % 2}`, state, by: 'service' }));

  it('is good when everything is allowed', () => {
    expect(evaluateScopes(commands('allowed', 'allowed'), { kind: 'token' })).toEqual({
      state: 'pass',
      message: '2 of 2 commands are allowed',
      facts: { allowed: 2, refused: 0, commands: commands('allowed', 'allowed') },
    });
  });

  it('says how many could not be tried', () => {
    expect(evaluateScopes(commands('allowed', 'not_tried', 'not_tried'), { kind: 'key' })).toMatchObject({
      state: 'pass',
      message: '1 of 1 testable commands are allowed; 2 not tested (they change data or need an ID)',
    });
  });

  it('warns of some that are refused, by name, and names the missing scopes once', () => {
    expect(
      evaluateScopes(commands('allowed', 'refused', 'allowed', 'refused'), { kind: 'token' }),
    ).toMatchObject({
      state: 'warn',
      message: '2 of 4 commands are allowed; not allowed: c1, c3',
      remedy: 'Get a token that also has these scopes: s1.',
    });
  });

  it('fails when all are refused', () => {
    expect(evaluateScopes(commands('refused', 'refused', 'not_tried'), { kind: 'key' })).toMatchObject({
      state: 'fail',
      message:
        '0 of 2 testable commands are allowed; not allowed: c0, c1; 1 not tested (they change data or need an ID)',
      remedy: 'Ask the administrator of the API key for these scopes: s0, s1.',
    });
  });

  it('warns of answers that tell nothing', () => {
    expect(evaluateScopes(commands('allowed', 'unknown'), { kind: 'key' })).toMatchObject({
      state: 'warn',
      message: '1 of 2 commands are allowed; no clear result: c1',
      remedy: 'Try again later.',
    });
    expect(evaluateScopes(commands('refused', 'unknown'), { kind: 'key' }).state).toBe('warn');
  });
});
