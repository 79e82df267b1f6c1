import { textOf, words } from '../../cli/cells.ts';
import { integerFlag, textFlag } from '../../cli/flags/types.ts';
import { listCommand, selectBy } from '../../cli/list-command.ts';
import { selectByTime, type TimeFlagValues, timeFlags } from '../../cli/time-filter.ts';
import { valueAt } from '../../output/columns.ts';

const NOUN = 'API error logs';

export default listCommand('listApiLogs', {
  summary: 'List failed API requests and why they failed.',
  description: `The service logs requests that fail with a 4xx or 5xx status; use the logs to find out why an integration fails.
The API has no filters for them, so payctl applies --status, --code, --method, --path, --since and --until to the logs that it
receives.`,
  noun: NOUN,
  columns: [
    { header: 'TIME', path: 'request_received_at', priority: 9 },
    {
      header: 'STATUS',
      path: 'response_status_code',
      format: 'number',
      priority: 10,
      tone: (log) => (Number(textOf(log, 'response_status_code')) >= 500 ? 'red' : undefined),
    },
    { header: 'CODE', path: 'response_body.code', minWidth: 10, goodWidth: 17, priority: 8 },
    {
      header: 'MESSAGE',
      path: 'response_body.message',
      parts: ['response_body.message', 'response_body.details.0.message'],
      cell: reasonText,
      minWidth: 16,
      goodWidth: 36,
      priority: 10,
    },
    {
      header: 'REQUEST',
      path: 'request_url',
      parts: ['request_method', 'request_url'],
      cell: requestText,
      minWidth: 18,
      goodWidth: 36,
      priority: 10,
    },
    { header: 'ANSWERED', path: 'response_sent_at', priority: 2 },
    { header: 'ID', path: 'id', priority: 5 },
  ],
  examples: [
    { description: 'List the failed requests:', command: `payctl api-logs list --profile emulator` },
    {
      description: 'Show why tokens were rejected:',
      command: 'payctl api-logs list --status 401 --profile emulator',
    },
    {
      description: 'Show the details of every 400 response:',
      command: `payctl api-logs list --status 400 --jq '.items[].response_body.details' --profile emulator`,
    },
  ],
  filter: { flags: apiLogFilterFlags, select: selectLogs },
});

const NOTICE = 'The API has no filters for error logs; payctl filters the response.';

function selectLogs(flags: Filter & TimeFlagValues) {
  const test = apiLogFilter(flags);
  if (flags.since === undefined && flags.until === undefined) return selectBy(test, NOTICE);
  return {
    selection: selectByTime({ path: 'request_received_at', noun: NOUN, flags, test }),
    notice: NOTICE,
  };
}

/** What API error logs are filtered by here, because the contract gives the service no filter for them. */
function apiLogFilterFlags() {
  return {
    status: integerFlag({
      min: 400,
      max: 599,
      summary: 'Only requests that returned this HTTP status.',
      helpGroup: 'FILTER',
    }),
    code: textFlag({
      summary: 'Only requests that returned this error code, such as bad_request.',
      helpGroup: 'FILTER',
    }),
    method: textFlag({ summary: 'Only requests with this HTTP method.', helpGroup: 'FILTER' }),
    path: textFlag({ summary: 'Only requests whose URL contains this text.', helpGroup: 'FILTER' }),
    ...timeFlags(),
  };
}

type Filter = {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
};

/**
 * The test that the flags ask for; undefined when they ask for nothing. An entry is whatever JSON the service logged: a
 * response of a gateway is a page of text.
 */
export function apiLogFilter({
  status,
  code,
  method,
  path,
}: Filter): ((log: unknown) => boolean) | undefined {
  if (status === undefined && code === undefined && method === undefined && path === undefined)
    return undefined;
  return (log) => {
    const textAt = (name: string): string | undefined => {
      const value = valueAt(log, name);
      return typeof value === 'string' ? value : undefined;
    };
    return (
      (status === undefined || valueAt(log, 'response_status_code') === status) &&
      (code === undefined || textAt('response_body.code') === code) &&
      (method === undefined || textAt('request_method')?.toUpperCase() === method.toUpperCase()) &&
      (path === undefined || textAt('request_url')?.includes(path) === true)
    );
  };
}

/** The method, and the path without the host. */
function requestText(log: unknown): string {
  const url = textOf(log, 'request_url');
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return words(textOf(log, 'request_method'), path === '' && url !== '' ? '/' : path);
}

/** Why the request failed: its first detail, which says more than the message of all of them. */
function reasonText(log: unknown): string {
  const at = (path: string) => textOf(log, `response_body.${path}`);
  const pointer = at('details.0.location') === 'header' ? '' : at('details.0.pointer');
  const detail =
    words(pointer, at('details.0.message')) ||
    words(at('detail.0.loc').replaceAll(', ', '/'), at('detail.0.msg'));
  return detail || at('message');
}
