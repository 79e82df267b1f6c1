/** A log of 1,000,000 entries in a file: filtering and summing up, against jq, and peak memory. */
import { join } from 'node:path';
import { writeLogFile } from './log-file.ts';
import { interleave, type Program, tellsMemory, timesOf } from './measure.ts';
import { programPeer } from './peers.ts';
import { folder, payctl } from './programs.ts';
import { report, reportAbsent } from './row.ts';

const ENTRIES = 1_000_000;
const file = join(folder, 'log.ndjson');

const logs = (...words: readonly string[]) => payctl(['api-logs', ...words, '--file', file, '-o', 'ndjson']);
const jq = (...args: readonly string[]): Program => ({ command: 'jq', args: [...args, file] });
const STATUS = '.response_status_code >= 400 and .response_status_code < 500';
const MESSAGES =
  '.response_body | if type == "string" then . else .message?, .details[]?.message?, .detail[]?.msg? end';
const INTEGER = `any(${MESSAGES} | strings; ascii_downcase | contains("integer"))`;

const contests = [
  {
    name: '`api-logs list --status 4xx`, a file of 1,000,000 entries',
    ours: logs('list', '--status', '4xx'),
    jq: jq('-c', `select(${STATUS})`),
  },
  {
    name: '`api-logs list --status 4xx --message integer`',
    ours: logs('list', '--status', '4xx', '--message', 'integer'),
    jq: jq('-c', `select(${STATUS}) | select(${INTEGER})`),
  },
  {
    name: '`api-logs summary`, against jq that only reads the statuses',
    ours: logs('summary'),
    jq: jq('.response_status_code'),
  },
];

// One run of each takes half a minute, and what separates them is far more than what differs between runs.
const peer = programPeer('jq');
if (peer) writeLogFile(file, ENTRIES);
for (const { name, ...programs } of peer ? contests : []) {
  const runs = await interleave(programs, { rounds: 1, warmUp: 0, memory: true });
  const against = { name: peer?.name ?? 'jq', values: timesOf(runs.jq) };
  report({ name, unit: 'ms', values: timesOf(runs.ours), against, bar: { atMost: 1 }, wallOnly: true });
  if (!tellsMemory) continue;
  const mib = Math.max(...runs.ours.map((each) => each.mib ?? Number.NaN));
  const values = { best: mib, median: mib };
  report({ name: `peak memory of ${name}`, unit: 'MiB', values, bar: { atMost: 150 } });
}
if (!tellsMemory) reportAbsent('peak memory', 'it takes the time of GNU');
