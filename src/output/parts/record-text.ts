import { SYNCED_AT, type TypedColumn } from '../typed-column.ts';

/**
 * Gives the text of a record from the texts of its members, in the order of the columns; undefined stands for null, and for a member that is
 * not there. As in what `sync` writes, the time of the sync is the last member.
 */
export function recordTexts(
  columns: readonly TypedColumn[],
): (values: readonly (string | undefined)[]) => string {
  const keys = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const last = columns.findIndex(({ name }) => name === SYNCED_AT.name);
  return (values) => {
    let text = '';
    const add = (index: number) => {
      const value = values[index];
      if (value !== undefined) text += (text === '' ? '' : ',') + keys[index] + value;
    };
    for (let index = 0; index < keys.length; index++) if (index !== last) add(index);
    if (last !== -1) add(last);
    return `{${text}}`;
  };
}
