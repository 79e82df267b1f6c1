import { MASK } from '../../contract/secret-names.ts';
import { textAt } from '../../json/edit.ts';
import type { NotedValues } from '../../json/mask.ts';
import { TopMembers } from '../../json/top-member.ts';

/** A record of a list, and the JSON texts of what a copy knows it by; undefined where it has no such member. */
export type CopiedRecord = {
  /** Its exact JSON text. */
  readonly text: string;
  readonly id: string | undefined;
  readonly created: string | undefined;
  readonly updated: string | undefined;
};

/** The times of a record that the manifest has the smallest and the largest of. */
const CREATED = 'created_at';
const UPDATED = 'updated_at';

/** The names whose values the reading of a page is to note; none where the ID is in an object of the record. */
export function notedNames(idPath: string): readonly string[] | undefined {
  return idPath.includes('.') ? undefined : [idPath, CREATED, UPDATED];
}

/** Makes records of their exact texts. */
export function recordReader(idPath: string): (text: string) => CopiedRecord {
  const idIn = idTextIn(idPath);
  return (text) => {
    const members = new TopMembers(text);
    const created = members.find(CREATED, CREATED_KEY);
    return { text, id: toId(idIn(text, members)), created, updated: members.find(UPDATED, UPDATED_KEY) };
  };
}

/** Makes records of the items of a page, of which the values of `notedNames` were noted. */
export function notedRecords(texts: readonly string[], noted: NotedValues): readonly CopiedRecord[] {
  return texts.map((text, at) => ({
    text,
    id: toId(noted[3 * at]),
    created: noted[3 * at + 1],
    updated: noted[3 * at + 2],
  }));
}

const CREATED_KEY = `${CREATED}":`;
const UPDATED_KEY = `${UPDATED}":`;

/** Gives the ID of a record as `recordReader` does. */
export function idReader(idPath: string): (text: string) => string | undefined {
  const idIn = idTextIn(idPath);
  return (text) => toId(idIn(text));
}

function idTextIn(idPath: string): (text: string, members?: TopMembers) => string | undefined {
  const key = `${idPath}":`;
  return idPath.includes('.')
    ? (text) => textAt(text, idPath)
    : (text, members = new TopMembers(text)) => members.find(idPath, key);
}

const MASKED = JSON.stringify(MASK);

/**
 * The ID whose JSON text this is. Null, an object and a list are no IDs, and neither is a masked value, which all records have in common. A
 * string has only the escape sequences that it needs: files of columns do not keep others.
 */
function toId(text: string | undefined): string | undefined {
  if (
    text === undefined ||
    text === 'null' ||
    text === MASKED ||
    text.startsWith('{') ||
    text.startsWith('[')
  )
    return undefined;
  return text.includes('\\') ? JSON.stringify(JSON.parse(text)) : text;
}
