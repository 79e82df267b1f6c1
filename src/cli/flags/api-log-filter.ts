import type { ApiLog } from '../../contract/types.ts';
import { integerFlag, textFlag } from './flag-types.ts';

/** What API error logs are filtered by here, because the contract gives the service no filter for them. */
export function apiLogFilterFlags() {
  return {
    status: integerFlag({
      min: 400,
      max: 599,
      summary: 'Keep answers with this status.',
      helpGroup: 'FILTER',
    }),
    code: textFlag({ summary: 'Keep answers with this code, such as bad_request.', helpGroup: 'FILTER' }),
    method: textFlag({ summary: 'Keep requests with this method.', helpGroup: 'FILTER' }),
    path: textFlag({ summary: 'Keep requests whose URL contains this.', helpGroup: 'FILTER' }),
  };
}

type Filter = {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
};

/** The test that the flags ask for; undefined when they ask for nothing. */
export function apiLogFilter({ status, code, method, path }: Filter): ((log: ApiLog) => boolean) | undefined {
  if (status === undefined && code === undefined && method === undefined && path === undefined)
    return undefined;
  return (log) => {
    const body = log.response_body;
    const logCode = body && 'code' in body ? body.code : undefined;
    return (
      (status === undefined || log.response_status_code === status) &&
      (code === undefined || logCode === code) &&
      (method === undefined || log.request_method?.toUpperCase() === method.toUpperCase()) &&
      (path === undefined || (log.request_url ?? '').includes(path))
    );
  };
}
