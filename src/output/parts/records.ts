import { own } from '../../json/is-object.ts';
import type { PartWriterOptions } from '../format.ts';
import type { ColumnType, TypedColumn } from '../typed-column.ts';
import type { EncodedTexts } from './encoded-texts.ts';

/** How a value is written; `NOTHING` is null, or no member. */
export const NOTHING = 0;
/** A string without escape sequences, and one with some. */
export const PLAIN = 1;
export const ESCAPED = 2;
export const NUMBER = 3;
export const TRUE = 4;
export const FALSE = 5;
export const OBJECT = 6;
export const LIST = 7;

/** A value that has a place in each slot of a table. */
export type Field = {
  /** Its place among the fields of its table. */
  readonly index: number;
  /** Dotted, without the elements of lists; a dot that is part of a name is written `\.`. */
  readonly path: string;
  readonly type: ColumnType;
  readonly table: Table;
  /** The object of the same table that it is a member of. */
  readonly parent: Field | undefined;
  /** The definition level of a value of it. */
  readonly level: number;
  /** The members of an object. */
  readonly members: ReadonlyMap<string, Field> | undefined;
  /** The elements of a list; the first field of the table is the element. */
  readonly elements: Table | undefined;
  /** The names that an object of it had, as they were written, and the one that it began with the last time. */
  readonly names: Map<string, KnownName>;
  first: KnownName | undefined;
};

/** What the members of an object belong to: a field, or the record. */
type Owner = Pick<Field, 'members' | 'names' | 'first'>;

/** A name as it was written, with its quotes and the colon, and the name that came after it the last time. */
type KnownName = {
  readonly source: Buffer;
  readonly field: Field | undefined;
  /** The value that the name of the folder has in its place. */
  readonly expected: Buffer | undefined;
  next: KnownName | undefined;
};

export type RecordsOptions = Pick<PartWriterOptions, 'id' | 'partition' | 'mask'> & {
  /** The elements of lists are looked at; otherwise a list is one value. */
  readonly takesLists: boolean;
};

/** The types of columns that may write a value in another way than the service. */
const REWRITTEN: ReadonlySet<ColumnType> = new Set<ColumnType>(['int64', 'decimal', 'double', 'timestamp']);

/** Enough for every record of a description. What has more names has no order that can be learned. */
const MOST_NAMES = 2000;
/** Names in a row that a record may leave out until its next one has to be looked up. */
const MOST_SKIPPED = 8;

/** Where the values of many records, or of the elements of a list in them, are in the text. */
export class Table {
  readonly fields: Field[] = [];
  /** The definition level of a slot that is there, and the repetition level of an element that is not the first. */
  readonly level: number;
  readonly repetition: number;
  /** How many slots there are. Those of an empty list, or of none, stand for what is not there. */
  slots = 0;
  /** By slot: the record that it is of, its repetition level, and how much of the way to it is there. */
  rows = new Int32Array(0);
  repetitions = new Uint8Array(0);
  levels = new Uint8Array(0);
  /** By slot and field. */
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  kinds = new Uint8Array(0);

  constructor(level: number, repetition: number) {
    this.level = level;
    this.repetition = repetition;
  }

  /** Adds a slot in which nothing is known yet; returns its number. */
  add(row: number, repetition: number, level: number): number {
    if (this.slots === this.rows.length) this.#grow();
    const slot = this.slots++;
    this.rows[slot] = row;
    this.repetitions[slot] = repetition;
    this.levels[slot] = level;
    this.kinds.fill(NOTHING, slot * this.fields.length, this.slots * this.fields.length);
    return slot;
  }

  /** The definition level of a field of a slot that has no value there. */
  levelWithout(field: Field, slot: number): number {
    const own = slot * this.fields.length;
    let { parent } = field;
    while (parent !== undefined && this.kinds[own + parent.index] === NOTHING) parent = parent.parent;
    return parent === undefined ? this.level : parent.level;
  }

  #grow(): void {
    const size = Math.max(64, this.rows.length * 2);
    const longer = <T extends Int32Array | Uint8Array>(old: T, made: T): T => {
      made.set(old);
      return made;
    };
    const places = size * this.fields.length;
    this.rows = longer(this.rows, new Int32Array(size));
    this.repetitions = longer(this.repetitions, new Uint8Array(size));
    this.levels = longer(this.levels, new Uint8Array(size));
    this.starts = longer(this.starts, new Int32Array(places));
    this.ends = longer(this.ends, new Int32Array(places));
    this.kinds = longer(this.kinds, new Uint8Array(places));
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const LITERALS = new Map([
  [0x6e, NOTHING],
  [0x74, TRUE],
  [0x66, FALSE],
]);

/**
 * Finds the values of columns in the texts of records, without building any. Records have the same members in the same order, so a name is
 * compared with the one that came there the last time. Of duplicate names the last one counts, as with JSON.parse.
 */
export class Records {
  readonly root = new Table(0, 0);
  /** The text of the records, in UTF-8. */
  bytes = Buffer.alloc(0);
  /** Where each record begins and ends in it. */
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  /** By record: 1 if the columns do not hold all of it. */
  incomplete = new Uint8Array(0);
  /** Values that do not fit the type of their column, by the path of the column. */
  readonly unfit: Record<string, number> = {};
  readonly #record: Owner & { readonly members: ReadonlyMap<string, Field> };
  /** The place of the whole record. */
  readonly whole: Field;
  /** The ID, if its column may write it in another way than the service. */
  readonly #id: Field | undefined;
  readonly #partition: Readonly<Record<string, string>>;
  readonly #mask: Buffer | undefined;
  readonly #tables: Table[] = [this.root];
  #names = 0;
  #isEscaped = false;

  constructor(columns: readonly TypedColumn[], { takesLists, id, partition = {}, mask }: RecordsOptions) {
    this.#mask = mask === undefined ? undefined : Buffer.from(JSON.stringify(mask));
    this.#partition = partition;
    const members = this.#fieldsOf(columns, this.root, undefined, '', takesLists);
    this.#record = { members, names: new Map(), first: undefined };
    this.whole = this.#field('_raw', 'json', this.root, undefined, takesLists);
    this.#id = this.root.fields.find(({ path, type }) => path === id && REWRITTEN.has(type));
  }

  /** Every field that has values of its own, in the order of the columns; `whole` is not one of them. */
  leaves(): readonly Field[] {
    const below = (field: Field): readonly Field[] => {
      const [element] = field.elements?.fields ?? [];
      if (element) return below(element);
      return field.members ? [...field.members.values()].flatMap(below) : [field];
    };
    return [...this.#record.members.values()].flatMap(below);
  }

  /** Reads records in the place of those before. Expects texts that JSON.parse accepts. */
  read({ texts, bytes, starts, ends }: EncodedTexts): void {
    this.bytes = bytes;
    this.starts = starts;
    this.ends = ends;
    if (this.incomplete.length < texts.length) this.incomplete = new Uint8Array(texts.length);
    this.incomplete.fill(0);
    for (const table of this.#tables) table.slots = 0;
    for (let row = 0; row < texts.length; row++) {
      const start = this.#skipSpace(this.starts[row] ?? 0);
      const slot = this.root.add(row, 0, 0);
      if (this.bytes[start] === OPEN_OBJECT) this.#object(this.#record, this.root, slot, start);
      else this.incomplete[row] = 1;
      if (this.#id && !this.#isAsWritten(this.#id, slot)) this.incomplete[row] = 1;
    }
    for (const table of this.#tables) this.#findElements(table);
  }

  /** Puts the whole of each record in its place: of every one, or of those that the columns do not hold. */
  placeWhole(isEvery: boolean): void {
    const { kinds, starts, ends, fields, slots } = this.root;
    for (let slot = 0; slot < slots; slot++) {
      const place = slot * fields.length + this.whole.index;
      kinds[place] = isEvery || this.incomplete[slot] === 1 ? OBJECT : NOTHING;
      starts[place] = this.starts[slot] ?? 0;
      ends[place] = this.ends[slot] ?? 0;
    }
  }

  /** Counts the value at `at`, which does not fit its column, so that the columns do not hold the record. A masked value is not counted. */
  count(field: Field, slot: number, at: number): void {
    if (this.#mask && this.#isAt(this.#mask, at)) return;
    this.incomplete[field.table.rows[slot] ?? 0] = 1;
    this.unfit[field.path] = (this.unfit[field.path] ?? 0) + 1;
  }

  /** Whether a column writes an ID as the service did: 1.0 and 1e0 are not the ID 1. */
  #isAsWritten({ index }: Field, slot: number): boolean {
    const { kinds, starts, ends, fields } = this.root;
    const place = slot * fields.length + index;
    if (kinds[place] === NOTHING) return true;
    const text = this.bytes.toString('latin1', starts[place], ends[place]);
    return /^(?:0|-?[1-9]\d*)$/.test(text) || String(Number(text)) === text;
  }

  #fieldsOf(
    columns: readonly TypedColumn[],
    table: Table,
    parent: Field | undefined,
    above: string,
    takesLists: boolean,
  ): ReadonlyMap<string, Field> {
    const fields = new Map<string, Field>();
    for (const { name, type } of columns) {
      fields.set(name, this.#field(above + escapedName(name), type, table, parent, takesLists));
    }
    return fields;
  }

  #field(
    path: string,
    type: ColumnType,
    table: Table,
    parent: Field | undefined,
    takesLists: boolean,
  ): Field {
    const level = (parent?.level ?? table.level) + 1;
    const isList = typeof type === 'object' && 'list' in type;
    const elements = isList && takesLists ? new Table(level + 1, table.repetition + 1) : undefined;
    const members = new Map<string, Field>();
    const field: Field = {
      ...{ index: table.fields.length, path, table, parent, level, elements },
      ...{ names: new Map(), first: undefined },
      type: isList && !takesLists ? 'json' : type,
      members: typeof type === 'object' && 'struct' in type ? members : undefined,
    };
    table.fields.push(field);
    if (isList && elements) {
      this.#tables.push(elements);
      this.#field(path, type.list, elements, undefined, takesLists);
    } else if (typeof type === 'object' && 'struct' in type) {
      const own = this.#fieldsOf(type.struct, table, field, `${path}.`, takesLists);
      for (const [name, member] of own) members.set(name, member);
    }
    return field;
  }

  /** Reads the object that begins at `from`; returns the index after it. */
  #object(owner: Owner, table: Table, slot: number, from: number): number {
    const { bytes } = this;
    let before: KnownName | undefined;
    let at = this.#skipSpace(from + 1);
    while (bytes[at] === QUOTE) {
      let name = before === undefined ? owner.first : before.next;
      // Records leave members out, so the names after the expected one are also looked at.
      for (let skipped = 0; name !== undefined && !this.#isAt(name.source, at); skipped++) {
        name = skipped < MOST_SKIPPED ? name.next : undefined;
      }
      if (name === undefined) {
        name = this.#find(owner, at);
        if (before === undefined) owner.first = name;
        else before.next = name;
      }
      at += name.source.length;
      before = name;
      at = this.#skipSpace(at);
      const end = name.field ? this.#value(name.field, table, slot, at) : this.#endOfValue(at);
      if (!name.field && !this.#isHeld(name, at, end)) this.incomplete[table.rows[slot] ?? 0] = 1;
      at = this.#skipSpace(end);
      if (bytes[at] !== COMMA) break;
      at = this.#skipSpace(at + 1);
    }
    return at + 1;
  }

  /** The name at `from` of a member of this object. It is remembered. */
  #find(owner: Owner, from: number): KnownName {
    const end = this.#endOfString(from);
    const colon = this.#skipSpace(end) + 1;
    const written = this.bytes.toString('latin1', from, colon);
    const known = owner.names.get(written);
    if (known) return known;
    const name: string = JSON.parse(this.bytes.toString('utf8', from, end));
    const source = Buffer.from(this.bytes.subarray(from, colon));
    const partition = owner === this.#record ? own(this.#partition, name) : undefined;
    const expected = partition === undefined ? undefined : Buffer.from(JSON.stringify(partition));
    const found = { source, field: owner.members?.get(name), expected, next: undefined };
    if (this.#names < MOST_NAMES) {
      this.#names += 1;
      owner.names.set(written, found);
    }
    return found;
  }

  #isAt(source: Buffer, at: number): boolean {
    const { bytes } = this;
    for (let index = 0; index < source.length; index++) {
      if (bytes[at + index] !== source[index]) return false;
    }
    return true;
  }

  /** Whether the value of a member without a column need not be kept: it is null, or what the folder says. */
  #isHeld({ expected }: KnownName, at: number, end: number): boolean {
    if (expected) return end - at === expected.length && this.#isAt(expected, at);
    return this.bytes[at] === 0x6e;
  }

  /** Reads the value at `at` of a member with this field; returns the index after it. */
  #value(field: Field, table: Table, slot: number, at: number): number {
    const first = this.bytes[at] ?? 0;
    const place = slot * table.fields.length + field.index;
    const { members } = field;
    if (members !== undefined) {
      if (table.kinds[place] !== NOTHING) this.#forget(members, table, slot);
      table.kinds[place] = first === OPEN_OBJECT ? OBJECT : NOTHING;
      if (first === OPEN_OBJECT) return this.#object(field, table, slot, at);
      if (first !== 0x6e) this.count(field, slot, at);
      return this.#endOfValue(at);
    }
    let end: number;
    let kind: number;
    if (first === QUOTE) {
      end = this.#endOfString(at);
      kind = this.#isEscaped ? ESCAPED : PLAIN;
    } else {
      end = this.#endOfValue(at);
      if (first === OPEN_OBJECT) kind = OBJECT;
      else kind = first === OPEN_LIST ? LIST : (LITERALS.get(first) ?? NUMBER);
    }
    table.starts[place] = at;
    table.ends[place] = end;
    table.kinds[place] = kind;
    return end;
  }

  /** Forgets the members of an object that came before another one of the same name. */
  #forget(members: ReadonlyMap<string, Field>, table: Table, slot: number): void {
    for (const member of members.values()) {
      table.kinds[slot * table.fields.length + member.index] = NOTHING;
      if (member.members) this.#forget(member.members, table, slot);
    }
  }

  #findElements(table: Table): void {
    for (const field of table.fields) {
      const { elements } = field;
      const [element] = elements?.fields ?? [];
      if (!elements || !element) continue;
      for (let slot = 0; slot < table.slots; slot++) this.#elementsOf(field, element, slot);
    }
  }

  /** Adds the elements of the list that a slot has, or one slot for a list that has none. */
  #elementsOf(field: Field, element: Field, slot: number): void {
    const { table } = field;
    const elements = element.table;
    const [row = 0, repetition = 0, level = 0] = [
      table.rows[slot],
      table.repetitions[slot],
      table.levels[slot],
    ];
    if (level < table.level) {
      elements.add(row, repetition, level);
      return;
    }
    const place = slot * table.fields.length + field.index;
    if (table.kinds[place] !== LIST) {
      if (table.kinds[place] !== NOTHING) this.count(field, slot, table.starts[place] ?? 0);
      elements.add(row, repetition, table.levelWithout(field, slot));
      return;
    }
    let at = this.#skipSpace((table.starts[place] ?? 0) + 1);
    if (this.bytes[at] === CLOSE_LIST) {
      elements.add(row, repetition, field.level);
      return;
    }
    for (let isFirst = true; ; isFirst = false) {
      const added = elements.add(row, isFirst ? repetition : elements.repetition, elements.level);
      at = this.#skipSpace(this.#value(element, elements, added, at));
      if (this.bytes[at] !== COMMA) return;
      at = this.#skipSpace(at + 1);
    }
  }

  #skipSpace(from: number): number {
    const { bytes } = this;
    let at = from;
    for (;;) {
      const code = bytes[at];
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
      at++;
    }
  }

  /** The index after the string whose opening quote is at `from`. */
  #endOfString(from: number): number {
    const { bytes } = this;
    const { length } = bytes;
    this.#isEscaped = false;
    let at = from + 1;
    while (at < length) {
      const code = bytes[at];
      if (code === QUOTE) return at + 1;
      if (code === BACKSLASH) {
        this.#isEscaped = true;
        at++;
      }
      at++;
    }
    return length;
  }

  #endOfValue(from: number): number {
    const { bytes } = this;
    const { length } = bytes;
    const first = bytes[from];
    if (first === QUOTE) return this.#endOfString(from);
    const isNested = first === OPEN_OBJECT || first === OPEN_LIST;
    let depth = 0;
    let at = from;
    while (at < length) {
      const code = bytes[at] ?? 0;
      if (code === QUOTE) {
        at = this.#endOfString(at);
        continue;
      }
      if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
      else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        if (depth <= 1) return isNested ? at + 1 : at;
        depth--;
      } else if (depth === 0 && (code === COMMA || code <= 0x20)) return at;
      at++;
    }
    return length;
  }
}

/** A name as it is in the dotted path of a column. */
export function escapedName(name: string): string {
  return name.replaceAll(/[\\.]/g, '\\$&');
}
