import type { Operation } from '../../src/contract/operation.ts';

/** An operation of which nothing is checked but how its response is received. */
export const REPORT: Operation = {
  id: 'report',
  method: 'GET',
  path: '/report',
  summary: '',
  scopes: ['reports.read'],
  merchantAccount: false,
  isList: false,
  paginated: false,
  pathParameters: [],
  query: {},
  hasBody: false,
  successStatus: 200,
  responseSchema: '',
  errors: [],
};
