import type { ContractOperation } from '../../../contract/generated/operations.ts';
import { type Access, checkAccess } from '../../../tokens/scopes.ts';
import { COMMAND_OPERATIONS } from './operations.ts';

/** What the scopes of a token say about one command. */
export type CommandAccess = {
  /** As it is typed: `buyers list`, `buyers list --reveal-pii`. */
  readonly command: string;
  readonly operation: ContractOperation;
  /** Whether this is the command with `--reveal-pii`. */
  readonly revealsPii: boolean;
  /** `unknown` where the token has no scope claim. */
  readonly access: Access;
  /** Each a scope, or several of which one suffices: `gift-cards.read or embed`. */
  readonly needed: readonly string[];
  /** Those of `needed` that are not held; empty unless the access is refused. */
  readonly lacking: readonly string[];
};

/**
 * Checks every command that talks to the service against the scopes that a token claims, `undefined` for a token without a
 * scope claim; a command that can reveal personal data is listed twice, the second time with `--reveal-pii`.
 */
export function commandAccess(
  held: readonly string[] | undefined,
  commands: Readonly<Record<string, ContractOperation>> = COMMAND_OPERATIONS,
): CommandAccess[] {
  return Object.entries(commands).flatMap(([command, operation]) => {
    const { scopes, piiScope } = operation;
    const check = (groups: readonly (readonly string[])[]) => {
      const { access, lacking } = checkAccess(held, groups);
      return { operation, access, needed: groups.map(named), lacking: lacking.map(named) };
    };
    const plain = { command, revealsPii: false, ...check([scopes]) };
    if (piiScope === undefined) return [plain];
    return [plain, { command: `${command} --reveal-pii`, revealsPii: true, ...check([scopes, [piiScope]]) }];
  });
}

function named(group: readonly string[]): string {
  return group.join(' or ');
}
