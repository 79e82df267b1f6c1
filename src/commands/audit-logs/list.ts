import { textOf } from '../../cli/cells.ts';
import { AUDIT_LOG_COLUMNS } from '../../cli/columns/audit-logs.ts';
import { textFlag } from '../../cli/flags/types.ts';
import { listCommand } from '../../cli/list-command.ts';
import { selectByTime, type TimeFlagValues, timeFlags } from '../../cli/time-filter.ts';
import { UsageError } from '../../errors.ts';
import { isUuid } from '../../text/format.ts';

const NOUN = 'audit log entries';

export default listCommand('listAuditLogs', {
  summary: 'List the actions of dashboard users: who did what, when and to which resource.',
  description: `The API filters by --action, --user-id and --resource-type. payctl applies the other filters itself: it looks at page after
page until it has found --limit entries, reaches --since or the end; --all looks for all of them.`,
  noun: NOUN,
  columns: AUDIT_LOG_COLUMNS,
  examples: [
    {
      description: 'List deletions:',
      command: 'payctl audit-logs list --action deleted --profile emulator',
    },
    {
      description: 'List changes to webhook subscriptions:',
      command: 'payctl audit-logs list --resource-type webhook-subscription --profile emulator',
    },
    {
      description: 'List what a colleague did since a date:',
      command: 'payctl audit-logs list --user meera --since 2025-11-01 --all --profile emulator',
    },
  ],
  filter: {
    flags: () => ({
      user: textFlag({
        summary: 'Only entries of this user: an ID, an e-mail address or part of a name.',
        helpGroup: 'FILTER',
      }),
      'resource-id': textFlag({
        summary: 'Only entries about the resource with this ID.',
        helpGroup: 'FILTER',
        helpValue: 'ID',
      }),
      ...timeFlags(),
    }),
    select: selectEntries,
  },
});

type Filter = TimeFlagValues & {
  readonly user?: string;
  readonly 'user-id'?: string;
  readonly 'resource-id'?: string;
};

/** The service knows users by their IDs alone, and neither resources nor times. */
function selectEntries(flags: Filter) {
  const { user, 'resource-id': resource, since, until } = flags;
  if (user !== undefined && flags['user-id'] !== undefined) {
    throw new UsageError('bad_flag', '--user and --user-id exclude each other');
  }
  const query = user !== undefined && isUuid(user) ? { user_id: user } : {};
  const name = 'user_id' in query ? undefined : user;
  if ([name, resource, since, until].every((value) => value === undefined)) return { query };
  const test = (entry: unknown) =>
    (name === undefined || isBy(entry, name)) &&
    (resource === undefined || textOf(entry, 'resource.id') === resource);
  return { query, selection: selectByTime({ path: 'timestamp', noun: NOUN, flags, test }) };
}

/** Whether a user has this ID, this e-mail address or a name that contains the text, in capitals or not. */
function isBy(entry: unknown, user: string): boolean {
  const textAt = (path: string) => plain(textOf(entry, path));
  const wanted = plain(user);
  const isName = textAt('user.name').includes(wanted);
  return isName || textAt('user.email_address') === wanted || textAt('user.id') === wanted;
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
