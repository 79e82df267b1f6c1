import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { recordFlags, sortFlag } from '../../cli/flags/list.ts';
import { textFlag } from '../../cli/flags/types.ts';
import { showRecords } from '../../cli/show/show-document.ts';
import { importHint } from '../../features/api/find-operation.ts';
import {
  forPerson,
  knownDescription,
  notRunRecord,
  operationRecord,
  withScopeWords,
} from '../../features/api/known-description.ts';
import type { Column } from '../../output/columns.ts';
import { foldText } from '../../text/fold.ts';

const yes = (path: 'paged' | 'body' | 'list') => (record: unknown) =>
  (record as Readonly<Record<string, unknown>>)[path] === true ? 'yes' : '';

function runs(record: unknown): string {
  return (record as { readonly runnable: boolean }).runnable ? 'yes' : 'no';
}

const COLUMNS: readonly Column[] = [
  { header: 'COMMAND', path: 'command', minWidth: 24, goodWidth: 36, priority: 10 },
  { header: 'METHOD', path: 'method', priority: 9 },
  { header: 'SCOPES', path: 'scopes', minWidth: 18, goodWidth: 30, priority: 4 },
  { header: 'PAGED', path: 'paged', cell: yes('paged'), priority: 6 },
  { header: 'BODY', path: 'body', cell: yes('body'), priority: 5 },
  { header: 'PATH', path: 'path', minWidth: 20, goodWidth: 40, priority: 8 },
  { header: 'OPERATION', path: 'id', format: 'text', minWidth: 16, priority: 3 },
  { header: 'TAG', path: 'tag', priority: 2 },
  { header: 'SUMMARY', path: 'summary', minWidth: 20, priority: 1 },
];

/** Columns for lists with operations that payctl cannot run. */
const NOT_RUN_COLUMNS: readonly Column[] = [
  { header: 'RUNS', path: 'runnable', cell: runs, priority: 9 },
  { header: 'REASON', path: 'reason', minWidth: 20, priority: 1 },
];

export default class ApiList extends BaseCommand {
  static override readonly summary = 'List the operations of the imported description.';

  static override readonly description =
    "Without an imported description, lists the operations of payctl's own contract.";

  static override readonly columns = [...COLUMNS, ...NOT_RUN_COLUMNS];

  static override readonly flags = {
    tag: textFlag({ summary: 'Only operations with this tag.', helpValue: 'TAG' }),
    search: textFlag({
      summary: 'Only operations whose name, path or summary contains this text.',
      helpValue: 'TEXT',
    }),
    'not-runnable': boolean({ summary: 'Only operations that payctl cannot run, and why.' }),
    ...sortFlag({ isWhole: true }),
    ...recordFlags(),
  };

  static override readonly examples = [
    { description: 'List all operations:', command: 'payctl api list' },
    {
      description: 'List what payctl cannot run, and why:',
      command: 'payctl api list --not-runnable -o wide',
    },
    { description: 'List the operations that mention refunds:', command: 'payctl api list --search refund' },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(ApiList);
    const display = this.openDisplay(flags);
    const { index, isOwn } = await knownDescription(this.describedBy(flags));
    const all = [...index.operations.map(operationRecord), ...(index.notRun ?? []).map(notRunRecord)];
    const records = all.filter((record) => isAskedFor(record, flags));
    const hasNotRun = records.some(({ runnable }) => !runnable);
    const columns = hasNotRun ? ApiList.columns : COLUMNS;
    await showRecords(display, forPerson(display, flags) ? records.map(withScopeWords) : records, {
      flags,
      columns,
    });
    if (records.length === 0)
      display.info(
        emptyText(
          flags,
          all.map(({ tag }) => tag),
        ),
      );
    if (isOwn)
      display.info(
        `These are the operations of payctl's own contract. ${importHint(this.configuration.profiles)}`,
      );
  }
}

type Asked = {
  readonly tag?: string | undefined;
  readonly search?: string | undefined;
  readonly 'not-runnable'?: boolean | undefined;
};

function isAskedFor(record: ReturnType<typeof operationRecord>, asked: Asked): boolean {
  const { tag, search } = asked;
  if (asked['not-runnable'] && record.runnable) return false;
  if (tag !== undefined && foldText(record.tag ?? '') !== foldText(tag)) return false;
  if (search === undefined) return true;
  const texts = [record.id, record.command, record.path, record.summary, ...record.aliases];
  return texts.some((text) => foldText(text).includes(foldText(search)));
}

function emptyText(asked: Asked, tags: readonly (string | null)[]): string {
  const { tag, search } = asked;
  const filters = [
    ...(tag === undefined ? [] : [`tag ${tag}`]),
    ...(search === undefined ? [] : [`text ${search}`]),
  ];
  if (filters.length === 0)
    return asked['not-runnable'] ? 'payctl can run every operation.' : 'No operations.';
  const known = [...new Set(tags.filter((each) => each !== null))].slice(0, 20).join(', ');
  const rest = asked['not-runnable'] ? ' and cannot be run' : '';
  return `No operation has the ${filters.join(' and the ')}${rest}.${tag === undefined || known === '' ? '' : ` Tags: ${known}.`}`;
}
