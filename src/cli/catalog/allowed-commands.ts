import type { Operation } from '../../contract/generated/operations.ts';
import { grants } from '../../tokens/scopes.ts';
import { COMMAND_OPERATIONS } from './operations.ts';

/** Whether scopes open a command. */
export type CommandVerdict = {
  /** As it is typed: `buyers list`, `buyers list --reveal-pii`. */
  readonly command: string;
  /** Each a scope, or several of which one suffices: `gift-cards.read or embed`. */
  readonly needed: readonly string[];
  /** Those of `needed` that are not held; empty for a command that the scopes open. */
  readonly lacking: readonly string[];
};

/** Judges every command that talks to the service by the scopes held; once more with --reveal-pii where there is that. */
export function judgeCommands(held: readonly string[]): CommandVerdict[] {
  return Object.entries(COMMAND_OPERATIONS).flatMap(
    ([command, { scopes, piiScope }]: [string, Operation]) => {
      const plain = judge(command, [scopes], held);
      return piiScope === undefined
        ? [plain]
        : [plain, judge(`${command} --reveal-pii`, [scopes, [piiScope]], held)];
    },
  );
}

/** Of each group of scopes one is needed. */
function judge(
  command: string,
  groups: readonly (readonly string[])[],
  held: readonly string[],
): CommandVerdict {
  const lacking = groups.filter((group) => !group.some((scope) => grants(held, scope)));
  return { command, needed: groups.map(named), lacking: lacking.map(named) };
}

function named(group: readonly string[]): string {
  return group.join(' or ');
}
