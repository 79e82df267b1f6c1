import { describe, expect, it } from 'vitest';
import { refuseTokenArguments } from '../../../src/features/auth/token-input.ts';
import { makeToken } from '../../tokens/make-token.ts';

const TOKEN = makeToken({ alg: 'ES512' }, { exp: 1 });
const PRETTY = makeToken('{\n  "alg": "ES512"\n}', { exp: 1 });

describe('refuseTokenArguments', () => {
  it.each([
    [[TOKEN]],
    [[PRETTY]],
    [['--', TOKEN]],
    [[`--token=${TOKEN}`]],
    [[`-t${TOKEN}`]],
    [['-v', `x ${TOKEN}`]],
    [[TOKEN.slice(0, 20)]],
    [['Bearer', 'abc']],
    [['Authorization: Bearer abc']],
    [['-----BEGIN PRIVATE KEY-----']],
  ])('refuses %j and shows nothing of it', (argv) => {
    expect(() => refuseTokenArguments(argv)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        code: 'token_as_argument',
        message: 'The command line contains a token instead of the path of a file',
        hint: 'Every process on this machine can read arguments: pass the token in a file or on standard input.',
      }),
    );
  });

  it.each([
    [['token.jwt']],
    [['production-token.2026.03.jwt']],
    [['./bearer.txt', '-o', 'json']],
    [['--jq', '.errors[].code', '--columns', 'claims.exp,header.alg.x']],
    [['-']],
  ])('lets %j pass', (argv) => {
    expect(() => refuseTokenArguments(argv)).not.toThrow();
  });
});
