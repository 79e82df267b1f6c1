import { grants, namesScopes } from '../../auth/scopes.ts';
import type { Operation } from '../../contract/operations.ts';
import { isListId, type ListId, type Outcome } from './ask-lists.ts';
import { fault, ok, type Verdict, warning } from './finding.ts';
import type { OpenCredentials } from './open-credentials.ts';

/** Whether a command may be used; `unknown` where the service gave no clear answer. */
export type CommandState = 'allowed' | 'refused' | 'unknown' | 'not_tried';

/** What is known of one command. */
export type CommandScope = {
  readonly command: string;
  readonly scope: string;
  readonly state: CommandState;
  /** Whose word it is. */
  readonly by: 'service' | 'claims' | null;
};

/** What commands are judged by. */
export type ScopeEvidence = {
  readonly outcomes: ReadonlyMap<ListId, Outcome>;
  /** Of a ready-made token. */
  readonly claims: OpenCredentials['claims'];
};

/** What is known of each command: by the service where it was asked, else by the claims of the token. */
export function judgeCommands(
  commands: Readonly<Record<string, Operation>>,
  { outcomes, claims }: ScopeEvidence,
): CommandScope[] {
  return Object.entries(commands).map(([command, { id, scopes }]) => {
    const [scope] = scopes;
    const outcome = isListId(id) ? outcomes.get(id) : undefined;
    if (outcome) return { command, scope, state: stateOf(outcome), by: 'service' };
    if (!claims || !namesScopes(claims.claims)) {
      return { command, scope, state: 'not_tried', by: null };
    }
    const isGranted = scopes.some((candidate) => grants(claims.scopes, candidate));
    return { command, scope, state: isGranted ? 'allowed' : 'refused', by: 'claims' };
  });
}

function stateOf({ status, error }: Outcome): CommandState {
  if (!error) return 'allowed';
  return status === 403 ? 'refused' : 'unknown';
}

/** Judges what the credentials may do: a refusal of some commands is a warning, of all that are known a fault. */
export function judgeScopes(commands: readonly CommandScope[], kind: 'token' | 'key'): Verdict {
  const inState = (state: CommandState) => commands.filter((command) => command.state === state);
  const [allowed, refused, unknown] = [inState('allowed'), inState('refused'), inState('unknown')];
  const untried = inState('not_tried').length;
  const facts = { allowed: allowed.length, refused: refused.length, commands };
  const known = commands.length - untried;
  const parts = [
    `${allowed.length} of ${known} commands${untried > 0 ? ' that can be tried' : ''} are allowed`,
    ...(refused.length > 0 ? [`refused: ${namesOf(refused)}`] : []),
    ...(unknown.length > 0 ? [`no clear answer: ${namesOf(unknown)}`] : []),
    ...(untried > 0 ? [`${untried} not tried (they change something, or need an id)`] : []),
  ];
  const message = parts.join('; ');
  if (refused.length > 0) {
    const judge = allowed.length === 0 && unknown.length === 0 ? fault : warning;
    return judge(message, remedyFor(refused, kind), facts);
  }
  return unknown.length > 0 ? warning(message, 'Try again later.', facts) : ok(message, facts);
}

function namesOf(commands: readonly CommandScope[]): string {
  return commands.map(({ command }) => command).join(', ');
}

function remedyFor(refused: readonly CommandScope[], kind: 'token' | 'key'): string {
  const missing = [...new Set(refused.map(({ scope }) => scope))].sort().join(', ');
  return kind === 'token'
    ? `Get a token that has these scopes as well: ${missing}.`
    : `Ask whoever administers the API key for these scopes: ${missing}.`;
}
