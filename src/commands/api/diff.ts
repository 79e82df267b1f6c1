import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { EXIT } from '../../cli/failure/exit-code.ts';
import { argument, optionalArgument } from '../../cli/flags/arguments.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags, sortFlag } from '../../cli/flags/list.ts';
import { builtInCommands } from '../../cli/routing/built-in-commands.ts';
import type { RunParts } from '../../cli/show/display.ts';
import { showRecords } from '../../cli/show/show-document.ts';
import { type Comparable, compareDescriptions } from '../../descriptions/compare.ts';
import { importDescription } from '../../descriptions/import-description.ts';
import { knownImport } from '../../features/api/known-description.ts';
import { readSource } from '../../features/api/read-source.ts';
import { type Column, valueAt } from '../../output/columns.ts';
import { plural } from '../../text/format.ts';

const COLUMNS: readonly Column[] = [
  {
    header: 'BREAKS',
    path: 'breaking',
    cell: (change) => (valueAt(change, 'breaking') === true ? 'yes' : ''),
    tone: (change) => (valueAt(change, 'breaking') === true ? 'red' : undefined),
    priority: 10,
  },
  { header: 'COMMAND', path: 'command', minWidth: 14, goodWidth: 20, wraps: true, priority: 10 },
  { header: 'OPERATION', path: 'operation', minWidth: 16, goodWidth: 30, wraps: true, priority: 9 },
  { header: 'WHERE', path: 'where', minWidth: 10, goodWidth: 16, wraps: true, priority: 8 },
  { header: 'CHANGE', path: 'message', minWidth: 22, goodWidth: 40, wraps: true, priority: 10 },
  { header: 'CODE', path: 'code', priority: 1 },
];

export default class ApiDiff extends BaseCommand {
  static override readonly summary = 'Compare two API descriptions and find changes that break scripts.';

  static override readonly description =
    `Given one description, compares it with the imported one or, if there is none, with payctl's own contract. A change is breaking
if something that scripts rely on was removed or restricted: an operation or its command, a flag, a value or field that could be
sent, or a field of a response. The exit code is 1 if there is a breaking change.`;

  static override readonly args = {
    first: argument('With SECOND, the old description: file, URL, or - for standard input.'),
    second: optionalArgument('The new description: file or URL.'),
  };

  static override readonly columns = COLUMNS;

  static override readonly flags = {
    breaking: boolean({ summary: 'Show only breaking changes.' }),
    ...sortFlag({ isWhole: true }),
    ...recordFlags(),
    proxy: connectionFlags().proxy,
    timeout: connectionFlags().timeout,
  };

  static override readonly examples = [
    {
      description: 'Compare a new description with the imported one:',
      command: 'payctl api diff openapi.json',
    },
    { description: 'Compare two files:', command: 'payctl api diff old.json new.json --breaking' },
  ];

  async run(): Promise<number> {
    const { args, flags } = await this.parse(ApiDiff);
    const { settings, display } = this.openSession(flags);
    const parts = { settings, display, runtime: this.runtime };
    const before =
      args.second === undefined ? await knownImport(this.describedBy(flags)) : await read(args.first, parts);
    const changes = compareDescriptions(before, await read(args.second ?? args.first, parts));
    const breaking = changes.filter((change) => change.breaking);
    const records = flags.breaking ? breaking : breaking.concat(changes.filter((change) => !change.breaking));
    await showRecords(display, records, { flags, columns: COLUMNS });
    const others = changes.length - breaking.length;
    display.info(`${plural(breaking.length, 'breaking change')}, ${plural(others, 'other change')}.`);
    return breaking.length > 0 ? EXIT.failure : EXIT.done;
  }
}

async function read(source: string, parts: RunParts): Promise<Comparable> {
  const { text, name } = await readSource(source, parts);
  return await importDescription(text, { file: name, builtIn: builtInCommands() });
}
