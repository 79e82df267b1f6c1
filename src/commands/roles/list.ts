import { textFlag } from '../../cli/flags/types.ts';
import { listCommand, selectBy } from '../../cli/list-command.ts';
import type { Role } from '../../contract/generated/types.ts';
import { valueAt } from '../../output/columns.ts';
import { grants } from '../../tokens/scopes.ts';

export default listCommand('listRoles', {
  summary: 'List the roles of the instance and what they allow.',
  description: `Roles belong to the instance, so the merchant account is not sent. The API has no filters
for them, so payctl applies --allows to the roles that it receives.`,
  noun: 'roles',
  columns: [
    { header: 'NAME', path: 'name', minWidth: 16, goodWidth: 20, priority: 10 },
    {
      header: 'ALLOWS',
      path: 'permissions.allow',
      cell: allowsText,
      minWidth: 32,
      goodWidth: 70,
      priority: 10,
    },
    { header: 'DESCRIPTION', path: 'description', minWidth: 20, priority: 5 },
    { header: 'ASSIGNABLE TO', path: 'assignable_to', minWidth: 10, priority: 4 },
    { header: 'SLUG', path: 'slug', minWidth: 20, priority: 7 },
    { header: 'ID', path: 'id', shortens: true, priority: 10 },
  ],
  examples: [
    { description: 'List the roles:', command: `payctl roles list --profile emulator` },
    {
      description: 'List the roles that can read buyers:',
      command: 'payctl roles list --allows buyers.read --profile emulator',
    },
  ],
  filter: {
    flags: () => ({
      allows: textFlag({
        summary: 'Only roles that grant this scope, directly or through a wildcard.',
        helpValue: 'SCOPE',
        helpGroup: 'FILTER',
      }),
    }),
    select: (values: Parameters<typeof rolesThatAllow>[0]) =>
      selectBy(rolesThatAllow(values), 'the API has no filters for roles; payctl filters the response'),
  },
});

/** The test for `--allows`; undefined without it. */
function rolesThatAllow({ allows }: { readonly allows?: string }): ((role: Role) => boolean) | undefined {
  return allows === undefined ? undefined : (role) => grants(scopesOf(role), allows);
}

function scopesOf(role: unknown): readonly string[] {
  const allow = valueAt(role, 'permissions.allow');
  return Array.isArray(allow) ? allow.filter((scope) => typeof scope === 'string') : [];
}

/** The scopes by what they allow to do: `read: buyers, api-logs; write: buyers`. */
function allowsText(role: unknown): string {
  const byVerb = Map.groupBy(scopesOf(role), (scope) => scope.slice(scope.lastIndexOf('.') + 1));
  const groups = [...byVerb].map(([verb, scopes]) => {
    const subjects = scopes
      .map((scope) => scope.slice(0, -verb.length - 1))
      .map((name) => (name === '*' ? 'everything' : name));
    if (verb === '*' && scopes.includes('*')) return 'everything';
    return subjects.every((name) => name === '')
      ? verb
      : `${verb === '*' ? 'all' : verb}: ${subjects.join(', ')}`;
  });
  return groups.join('; ') || 'none';
}
