import { describe, expect, it } from 'vitest';
import { STYLES } from '../../descriptions/styles.ts';
import { startImported } from '../../emulator/imported/imported-emulator.ts';
import { importedForAll, runImported } from './run-imported.ts';

type Json = Readonly<Record<string, unknown>>;

/** What the client makes of a style: only what differs from most. */
type Seen = {
  /** The words before the verb. */
  readonly topic?: string;
  /** The columns of a list, as CSV. */
  readonly columns?: string;
  /** What comes before the path of a field of a record in an item. */
  readonly inItem?: string;
  /** What the body calls a field. */
  readonly called?: (name: string) => string;
  /** The paths of two fields of a record. */
  readonly chosen?: readonly [label: string, colour: string];
  /** What `-F label=x -F colour=green` sends, and further fields that the body needs. */
  readonly sent?: (members: Json) => unknown;
  readonly needed?: readonly string[];
};

/** How many records the emulator begins with. */
const EVERY_RECORD = 30;

const inMember = (name: string) => ({ sent: (members: Json) => ({ [name]: members }) });

const IN_ITEMS = {
  columns: 'widget.id,widget.label,widget.created_at,widget.colour',
  inItem: 'widget.',
} satisfies Seen;

const IN_LISTS = {
  columns: 'WidgetID,label,created_at,colour',
  sent: (widget: Json) => ({ Widgets: [widget] }),
} satisfies Seen;

const SEEN: Readonly<Record<string, Seen>> = {
  'a member "data"': inMember('data'),
  'a member with the name of the record': inMember('widget'),
  'two members, one in the other': inMember('widget'),
  'items with the record in a member, and records beside it': IN_ITEMS,
  'items with the record in a member, by a schema of their own': { ...IN_ITEMS, ...inMember('widget') },
  'a list of one record, which a PUT of the collection creates': IN_LISTS,
  'a list of one record next to the ID of the response': IN_LISTS,
  'a list of one record next to the id of the response': IN_LISTS,
  'JSON:API': {
    columns: 'id,attributes.label,attributes.created_at,attributes.colour',
    chosen: ['attributes.label', 'attributes.colour'],
    sent: (attributes) => ({ data: { attributes, type: 'widgets' } }),
  },
  'names in metadata': {
    columns: 'metadata.name,kind,spec.label',
    chosen: ['spec.label', 'spec.colour'],
    sent: (spec) => ({ metadata: { name: 'first' }, spec }),
    needed: ['metadata.name=first'],
  },
  'a member with another name than the record': { columns: 'gid,label,created_at,colour' },
  'an ID with another name': { ...inMember('data'), columns: 'gid,label,created_at,colour' },
  'a token in the path and a number in the record': { columns: 'token,id,label,created_at,colour' },
  'a guid in the path and an ID of the caller in the record': { columns: 'guid,id,label,created_at,colour' },
  'paths with a file suffix, and forms': { topic: 'x2010 widgets', columns: 'sid,label,created_at,colour' },
  'forms whose names have another notation than those of the record': {
    called: (name) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
  },
  'procedures: POST for everything': { columns: 'widget_id,label,created_at,colour' },
  'procedures with dots': { columns: 'widget_id,label,created_at,colour' },
};

describe.each(STYLES)('the commands of a description in the style of $name', (style) => {
  const described = importedForAll(style.document);
  const {
    topic = 'widgets',
    columns = 'id,label,created_at,colour',
    chosen,
    inItem = '',
    called = (name: string) => name,
    ...seen
  } = SEEN[style.name] ?? {};
  const [label, colour] = chosen ?? ['label', 'colour'];
  const isCalled = style.name.startsWith('procedures');
  const named = (id: string) => (isCalled ? ['-F', `widget_id=${id}`] : [id]);
  const isForm = style.contentType?.endsWith('urlencoded') === true;
  const fields = (members: Json) =>
    Object.entries(members).flatMap(([name, value]) => {
      const isInSpec = style.name === 'names in metadata';
      return ['-F', `${isInSpec ? 'spec.' : ''}${called(name)}=${value}`];
    });
  const needed = (seen.needed ?? []).flatMap((field) => ['-F', field]);

  it('list, get, create, update and delete records as it has them', async () => {
    await using emulator = await startImported(style.document);
    const env = { PAYCTL_BASE_URL: emulator.emulator.baseUrl, PAYCTL_TOKEN: await emulator.token(['*']) };
    const run = (...argv: readonly string[]) =>
      runImported([...topic.split(' '), ...argv], described, { env });
    const done = async (...argv: readonly string[]) => {
      const { stdout, stderr, code } = await run(...argv);
      expect({ code, stderr }, argv.join(' ')).toEqual({
        code: 0,
        stderr: expect.not.stringContaining('rror'),
      });
      return stdout;
    };

    const page = JSON.parse(await done('list', '-o', 'json'));
    const records = style.items(page);
    const [first = {}] = records;
    // A cursor in the body of a request is not followed.
    const all = isCalled ? [] : ['--all'];
    const csv = (await done('list', ...all, '-o', 'csv', '-q')).split('\r\n');
    expect(csv[0]).toBe(columns);
    expect(csv.length - 2).toBe(isCalled ? records.length : EVERY_RECORD);
    const rows = await done(
      'list',
      '--columns',
      `${inItem}${label},${inItem}${colour}`,
      '-o',
      'ndjson',
      '-q',
    );
    expect(rows.split('\n').length - 1).toBe(records.length);

    const id = style.id(first);
    const shown = JSON.parse(await done('get', ...named(id), '-o', 'json'));
    expect(style.record(shown)).toEqual(first);
    expect(JSON.parse(await done('get', ...named(id), '--jq', '.'))).toEqual(shown);
    const table = (await done('get', ...named(id))).trimEnd().split('\n');
    const names = table.map((line) => line.split('\t')[0]?.split('.')[0]);
    expect([...new Set(names)]).toEqual(Object.keys(first));

    const members = { label: 'x', colour: 'green' };
    const made = await done('create', ...fields(members), ...needed, '-o', 'json');
    const record = style.record(JSON.parse(made));
    expect(style.members(record)).toMatchObject(members);
    const dry = await done('create', ...fields(members), ...needed, '--dry-run');
    const body = dry.trimEnd().split('\n').at(-1) ?? '';
    if (isForm) expect(body).toBe(`${called('label')}=x&${called('colour')}=green`);
    else expect(JSON.parse(body)).toEqual((seen.sent ?? ((plain) => plain))(members));

    const own = named(style.id(record));
    const columnsOnly = await done('get', ...own, '--columns', `${label},${colour}`);
    expect(columnsOnly).toBe(`${label}\tx\n${colour}\tgreen\n`);
    await done(
      'update',
      ...own,
      ...fields({ label: 'y' }),
      ...(needed.length > 0 ? ['-F', 'metadata.name=x'] : []),
    );
    expect(await done('get', ...own, '--columns', label)).toBe(`${label}\ty\n`);
    await done('delete', ...own, '--yes');
    expect((await run('get', ...own)).code).toBe(5);
  });

  it('name a misspelt field, and what it may be', async () => {
    const { stderr, code } = await runImported(
      [...topic.split(' '), 'create', ...fields({ lable: 'x' }), ...needed],
      described,
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^Error: The request body has the field \/\S*lable, which is not in the description/i,
    );
    expect(stderr).toContain(`Did you mean ${called('label')}?`);
  });
});
