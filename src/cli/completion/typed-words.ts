import type { CompletionFlag } from './completion-data.ts';

/** What the words between a command and the cursor say. */
export type TypedWords = {
  /** Names of the flags that were given. */
  readonly given: ReadonlySet<string>;
  /** How many arguments were given. */
  readonly args: number;
  /** The flag that the next word is the value of. */
  readonly waiting: CompletionFlag | undefined;
  /** A `--` was among them: every further word is an argument. */
  readonly flagsEnded: boolean;
};

/** Reads words as the parser of the flags does; what it would refuse is passed over. */
export function readTypedWords(words: readonly string[], flags: readonly CompletionFlag[]): TypedWords {
  const given = new Set<string>();
  let args = 0;
  let waiting: CompletionFlag | undefined;
  for (const [index, word] of words.entries()) {
    if (waiting) {
      waiting = undefined;
      continue;
    }
    if (word === '--') return { given, args: args + words.length - index - 1, waiting, flagsEnded: true };
    if (!/^-./.test(word)) {
      args += 1;
      continue;
    }
    const { named, last, hasValue } = flagsIn(word, flags);
    for (const { name } of named) given.add(name);
    waiting = last?.value && !hasValue ? last : undefined;
  }
  return { given, args, waiting, flagsEnded: false };
}

type FlagsOfWord = {
  readonly named: readonly CompletionFlag[];
  readonly last: CompletionFlag | undefined;
  /** The word holds the value of its last flag. */
  readonly hasValue: boolean;
};

function flagsIn(word: string, flags: readonly CompletionFlag[]): FlagsOfWord {
  if (word.startsWith('--')) {
    const [name = ''] = word.slice(2).split('=', 1);
    const last = flags.find((flag) => flag.name === name);
    return { named: last ? [last] : [], last, hasValue: word.includes('=') };
  }
  return shortFlagsIn(word.slice(1), flags);
}

/** `-vo json` and `-vojson`: switches may stand together, and the rest of the word is the value of the first other. */
function shortFlagsIn(chars: string, flags: readonly CompletionFlag[]): FlagsOfWord {
  const named: CompletionFlag[] = [];
  for (const [index, char] of [...chars].entries()) {
    const flag = flags.find((candidate) => candidate.char === char);
    if (!flag) break;
    named.push(flag);
    if (flag.value) return { named, last: flag, hasValue: index + 1 < chars.length };
  }
  return { named, last: undefined, hasValue: false };
}
