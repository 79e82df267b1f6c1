/** The topics of `payctl help TOPIC` that are not commands, with the lines that introduce them. */
export const HELP_TOPICS = {
  agents: 'Rules and commands for programs and language models that run payctl.',
  environment: 'The environment variables that payctl reads.',
  'exit-codes': 'The exit codes of payctl and what they mean.',
  flags: 'The flags that many commands share.',
  formats: 'The output formats, and how to choose fields and filter them.',
  money: 'How to write amounts, what payctl asks before money moves, and limits.',
  settings: 'Where settings and credentials come from, and which of them takes precedence.',
  times: 'The times that payctl shows and reads, and their zones.',
} as const;

/** Whether these words name such a topic. */
export function isHelpTopic(words: readonly string[]): boolean {
  return words.length === 1 && Object.hasOwn(HELP_TOPICS, words[0] ?? '');
}
