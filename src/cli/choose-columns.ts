import type { Column } from '../output/column.ts';

/** The columns that `--columns` names: the resource's own where it has them, else new ones for these dotted paths. */
export function chooseColumns(paths: readonly string[], known: readonly Column[]): readonly Column[] {
  return paths.map(
    (path) =>
      known.find((column) => column.path === path) ?? {
        path,
        header: path.toUpperCase().replaceAll('_', ' '),
      },
  );
}
