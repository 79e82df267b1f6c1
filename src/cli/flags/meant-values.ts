/** A value of a flag in a notation that only payctl reads, such as `7d` or a short ID, and what it stands for. */
export type MeantValue = { readonly flag: string; readonly typed: string; readonly meant: string };

/** Arguments in which each of these values is what it stands for, so that another run means the same. */
export function meantArguments(argv: readonly string[], values: readonly MeantValue[]): readonly string[] {
  return argv.map((word, index) => {
    const value = values.find(
      ({ flag, typed }) => (word === typed && argv[index - 1] === flag) || word === `${flag}=${typed}`,
    );
    if (!value) return word;
    return word === value.typed ? value.meant : `${value.flag}=${value.meant}`;
  });
}
