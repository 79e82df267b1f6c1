import {
  type ContractOperation,
  type Operation,
  operations,
} from '../../../contract/generated/operations.ts';

/** The words of commands that are not those of their paths. */
const OTHER_WORDS: Readonly<Record<string, string>> = { 'checkout sessions': 'checkout-sessions' };

const VERBS: Readonly<Record<Operation['method'], string>> = {
  GET: 'list',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
};

/**
 * The operation that each command calls, sorted by command; the token of a command has the scopes of its operation.
 * `GET /buyers/gift-cards` is `buyers gift-cards list`, and `PUT /x/{id}` is `x update`.
 */
export const COMMAND_OPERATIONS: Readonly<Record<string, ContractOperation>> = Object.fromEntries(
  Object.values<ContractOperation>(operations)
    .map((operation) => [commandOf(operation), operation] as const)
    .sort(([first], [second]) => (first < second ? -1 : 1)),
);

function commandOf({ method, path }: Operation): string {
  const segments = path.split('/').slice(1);
  const topic = segments.filter((segment) => !segment.startsWith('{')).join(' ');
  const verb = method === 'GET' && path.endsWith('}') ? 'get' : VERBS[method];
  return `${OTHER_WORDS[topic] ?? topic} ${verb}`;
}
