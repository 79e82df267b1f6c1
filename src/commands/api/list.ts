import { BaseCommand } from '../../cli/base-command.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { textFlag } from '../../cli/flags/types.ts';
import { showRecords } from '../../cli/show-document.ts';
import { knownDescription, operationRecord } from '../../features/api/known-description.ts';
import type { Column } from '../../output/columns.ts';

const yes = (path: 'paged' | 'body' | 'list') => (record: unknown) =>
  (record as Readonly<Record<string, unknown>>)[path] === true ? 'yes' : '';

const COLUMNS: readonly Column[] = [
  { header: 'COMMAND', path: 'command', minWidth: 24, goodWidth: 36, priority: 10 },
  { header: 'METHOD', path: 'method', priority: 9 },
  { header: 'SCOPES', path: 'scopes', minWidth: 18, goodWidth: 30, priority: 8 },
  { header: 'PAGED', path: 'paged', cell: yes('paged'), priority: 7 },
  { header: 'BODY', path: 'body', cell: yes('body'), priority: 6 },
  { header: 'PATH', path: 'path', minWidth: 20, priority: 4 },
  { header: 'OPERATION', path: 'id', format: 'text', minWidth: 16, priority: 3 },
  { header: 'TAG', path: 'tag', priority: 2 },
  { header: 'SUMMARY', path: 'summary', minWidth: 20, priority: 1 },
];

export default class ApiList extends BaseCommand {
  static override readonly summary = 'List the operations of the imported description.';

  static override readonly description =
    "Without an imported description, these are the operations of payctl's own contract.";

  static override readonly columns = COLUMNS;

  static override readonly flags = {
    tag: textFlag({ summary: 'Only operations with this tag.', helpValue: 'TAG' }),
    search: textFlag({
      summary: 'Only operations whose name, path or summary contains this text.',
      helpValue: 'TEXT',
    }),
    ...recordFlags(),
  };

  static override readonly examples = [
    { description: 'List all operations:', command: 'payctl api list' },
    { description: 'List those that have to do with refunds:', command: 'payctl api list --search refund' },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiList);
    const display = this.openDisplay(flags);
    const { environment, signal } = this.runtime;
    const { index, isOwn } = await knownDescription({
      environment,
      signal,
      profile: flags.profile,
      profiles: this.profiles,
    });
    const records = index.operations.map(operationRecord).filter((record) => isAskedFor(record, flags));
    await showRecords(display, records, { flags, columns: COLUMNS });
    if (records.length === 0)
      display.info(
        emptyText(
          flags,
          index.operations.map(({ tag }) => tag),
        ),
      );
    if (isOwn)
      display.info(
        "No description is imported: these are of payctl's own contract. Next: payctl api import FILE",
      );
  }
}

type Asked = { readonly tag?: string | undefined; readonly search?: string | undefined };

function isAskedFor(record: ReturnType<typeof operationRecord>, { tag, search }: Asked): boolean {
  if (tag !== undefined && record.tag?.toLowerCase() !== tag.toLowerCase()) return false;
  if (search === undefined) return true;
  const texts = [record.id, record.command, record.path, record.summary, ...record.aliases];
  return texts.some((text) => text.toLowerCase().includes(search.toLowerCase()));
}

function emptyText({ tag, search }: Asked, tags: readonly (string | undefined)[]): string {
  const filters = [
    ...(tag === undefined ? [] : [`tag ${tag}`]),
    ...(search === undefined ? [] : [`text ${search}`]),
  ];
  const known = [...new Set(tags.filter((each) => each !== undefined))].slice(0, 20).join(', ');
  return `No operation has the ${filters.join(' and the ')}.${tag === undefined || known === '' ? '' : ` Tags: ${known}.`}`;
}
