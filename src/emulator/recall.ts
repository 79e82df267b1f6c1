/** Answers that are kept as long as what they were made from stays as it is. */
export type Recall = {
  /** Gives what `read` gave before under this name, or calls it now. */
  recall<T>(name: string, read: () => T): T;
  /** Forgets everything, if there was a write since the last call. */
  refresh(): void;
};

const capacity = 100;

/** Keeps the last 100 answers. `version` tells the state of the data: another text after every write. */
export function createRecall(version: () => string): Recall {
  const answers = new Map<string, unknown>();
  let known = '';
  return {
    recall<T>(name: string, read: () => T): T {
      if (answers.has(name)) return answers.get(name) as T;
      const answer = read();
      const [first] = answers.keys();
      if (answers.size >= capacity && first !== undefined) answers.delete(first);
      answers.set(name, answer);
      return answer;
    },
    refresh() {
      const current = version();
      if (current !== known) answers.clear();
      known = current;
    },
  };
}
