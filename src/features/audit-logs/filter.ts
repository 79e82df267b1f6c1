import { timeFlags } from '../../cli/flags/time-filter.ts';
import { type FlagValues, inGroup, textFlag } from '../../cli/flags/types.ts';
import { textOf } from '../../cli/show/cells.ts';
import type { PageQuery } from '../../client/page.ts';
import { UsageError } from '../../errors.ts';
import { foldText } from '../../text/fold.ts';
import { isUuid } from '../../text/format.ts';

/** What audit log entries are called, in the plural. */
export const AUDIT_LOG_NOUN = 'audit log entries';

/** The filters that take IDs of what an entry is about. */
export const AUDIT_LOG_IDS = { 'resource-id': { path: 'resource.id', noun: 'resource' } };

/** The filters of audit logs that the service does not have. */
export function auditLogFlags() {
  return inGroup('FILTER', {
    user: textFlag({ summary: 'Only entries of this user: an ID, an e-mail address or part of a name.' }),
    'resource-id': textFlag({ summary: 'Only entries about the resource with this ID.', helpValue: 'ID' }),
    ...timeFlags(),
  });
}

/** What `auditLogFlags` parse to, with the filter of the contract that one of them excludes. */
export type AuditLogFilterValues = FlagValues<typeof auditLogFlags> & {
  readonly 'user-id'?: string | undefined;
};

/** How the flags are carried out: `query` by the service, `test` and the times by payctl. */
export type AuditLogFilter = {
  readonly query: PageQuery;
  /** Undefined where every entry is kept. */
  readonly test: ((entry: unknown) => boolean) | undefined;
};

/** Reads the filters except for those of time. The service knows users by their IDs alone, and no resources. @throws UsageError */
export function readAuditLogFilter(flags: AuditLogFilterValues): AuditLogFilter {
  const { user, 'resource-id': resource } = flags;
  if (user !== undefined && flags['user-id'] !== undefined) {
    throw new UsageError('bad_flag', '--user and --user-id exclude each other');
  }
  const query = user !== undefined && isUuid(user) ? { user_id: user } : {};
  const name = 'user_id' in query ? undefined : user;
  if (name === undefined && resource === undefined) return { query, test: undefined };
  return {
    query,
    test: (entry) =>
      (name === undefined || isBy(entry, name)) &&
      (resource === undefined || textOf(entry, 'resource.id') === resource),
  };
}

/** Whether a user has this ID, this e-mail address or a name that contains the text, without regard to case and accents. */
function isBy(entry: unknown, user: string): boolean {
  const textAt = (path: string) => foldText(textOf(entry, path));
  const wanted = foldText(user);
  const isName = textAt('user.name').includes(wanted);
  return isName || textAt('user.email_address') === wanted || textAt('user.id') === wanted;
}
