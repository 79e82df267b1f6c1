import { readEntry } from '../../../../src/features/api-logs/entry.ts';
import { openFilter } from '../../../../src/features/api-logs/filter.ts';
import type { FilterValues } from '../../../../src/features/api-logs/filter-flags.ts';
import { LogRun } from '../../../../src/features/api-logs/looked-at.ts';
import type { Report, ReportView } from '../../../../src/features/api-logs/report/model.ts';
import { ReportCollector } from '../../../../src/features/api-logs/report/report.ts';

type SampleOptions = {
  readonly values?: FilterValues & Readonly<Record<string, unknown>>;
  /** Where the entries come from files. */
  readonly files?: readonly string[];
  readonly profile?: string;
  readonly view?: ReportView;
  readonly hasMessages?: boolean;
};

/** The time of the service in a sample, and of the machine. */
export const NOW = Date.parse('2026-03-01T10:00:00Z');

/** Makes the report of some entries. */
export async function reportOf(
  logs: readonly unknown[],
  { values = {}, files = [], profile = 'acme', view = 'support', hasMessages = true }: SampleOptions = {},
): Promise<Report> {
  const filter = await openFilter(values);
  const run = new LogRun(filter, values);
  filter.begin(NOW);
  if (files.length === 0) run.looked.service = { origin: 'https://api.example.com', now: NOW };
  const collector = new ReportCollector('');
  const items = logs.map((log) => ({ entry: readEntry(log), text: JSON.stringify(log) }));
  const kept = await run.keeps(items);
  collector.add(items.filter((_, index) => kept[index]));
  return collector.report(run, {
    createdBy: 'payctl/1.2.3',
    now: NOW,
    view,
    hasMessages,
    source: { profile: files.length > 0 ? null : profile, merchant_account: null, files },
    filters: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value as string | readonly string[]]),
    ),
    commandOf: (words) => `payctl ${words}`,
  });
}

/** An entry of the log. */
export function logOf(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    type: 'api-log',
    id: '5041a892-fb00-4846-8360-690c9631e63e',
    request_method: 'POST',
    request_url: `https://api.example.com/buyers/${BUYER}/shipping-details`,
    request_received_at: '2026-03-01T09:30:00.000+00:00',
    response_status_code: 400,
    response_body: {
      type: 'error',
      code: 'bad_request',
      message: 'Generic error',
      details: [{ pointer: '/phone_number', message: 'must match', input: '+44 113 496 0000' }],
    },
    response_sent_at: '2026-03-01T09:30:00.056+00:00',
    ...more,
  };
}

/** A buyer of the sample entries. */
export const BUYER = 'a5b1f0de-0000-4000-8000-000000000000';
