import { headerFaults } from './header-faults.ts';
import { scopeFaults } from './scope-faults.ts';
import { timeFaults } from './time-faults.ts';
import type { Inspection, TokenFault } from './token-fault.ts';

/** Everything that is wrong with a token as far as can be told without its key: faults first, then warnings. */
export function inspectToken(inspection: Inspection): TokenFault[] {
  const found = [...timeFaults(inspection), ...headerFaults(inspection), ...scopeFaults(inspection)];
  return [
    ...found.filter(({ severity }) => severity === 'fault'),
    ...found.filter(({ severity }) => severity === 'warning'),
  ];
}
