import type { RunningProcess } from './follow-process.ts';

/** Answers the questions of a run on a terminal: waits for each after the one before it, then types. */
export function answering(running: RunningProcess) {
  let from = 0;
  return async (question: string, keys: string): Promise<void> => {
    for (;;) {
      const text = await running.sees('stdout', question);
      const at = text.indexOf(question, from);
      if (at !== -1) {
        from = at + question.length;
        running.type(keys);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
}
