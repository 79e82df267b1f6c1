import { listAnswer } from '../answer-list.ts';
import { newestApiLogs } from '../api-log.ts';
import type { Handler } from '../route-context.ts';

/** GET /api-logs: the newest failed requests of a merchant account (specification, GET /api-logs). */
export const listApiLogs: Handler<'listApiLogs'> = ({ database, merchantAccount }) =>
  database.recall(`api logs of ${merchantAccount}`, () =>
    listAnswer(newestApiLogs(database, merchantAccount)),
  );
