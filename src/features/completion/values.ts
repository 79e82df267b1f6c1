import type { CompletionCommand, ValueKind } from '../../cli/completion.ts';
import { type Candidate, type Completion, NOTHING, startingWith } from './data.ts';

/** Where candidates come from that the build cannot know. */
export type CompletionSources = {
  /** The profiles of the user's own, and where they are wanted the built-in ones. Asked only where one is to be completed. */
  profiles(options: { readonly builtIn: boolean }): Promise<readonly Candidate[]>;
};

type ValueRequest = {
  readonly kind: ValueKind;
  /** What was typed of the value. */
  readonly typed: string;
  /** The text before it in the same word, such as `--output=`. */
  readonly before: string;
  /** Whose value it is. */
  readonly command: CompletionCommand;
};

/** What completes a value; every candidate is the whole word. */
export async function completeValue(request: ValueRequest, sources: CompletionSources): Promise<Completion> {
  const { kind, typed, before } = request;
  if (kind === 'unknown') return NOTHING;
  if (kind === 'file') return { candidates: [], filesAfter: before };
  if (kind === 'text-or-file') return textOrFile(typed, before);
  if (kind === 'columns') return { candidates: columnsAfter(request), goesOn: true };
  if (typeof kind === 'object' && 'members' in kind) return membersAfter(request, kind.members);
  const values =
    kind === 'profile' || kind === 'stored-profile'
      ? await sources.profiles({ builtIn: kind === 'profile' })
      : kind
          .filter((value) => before !== '' || !value.startsWith('-'))
          .map((value) => ({ value, description: '' }));
  return { candidates: startingWith(before + typed, inWord(before, values)) };
}

/** Completions of a typed path: up to the next dot or equals sign, or a whole value after the equals sign. */
function membersAfter({ typed, before }: ValueRequest, members: readonly string[]): Completion {
  const [file] = /^[^=]*=@/.exec(typed) ?? [];
  if (file !== undefined) return { candidates: [], filesAfter: before + file };
  const next = members.flatMap((member) => {
    if (!member.startsWith(typed)) return [];
    const [step = ''] = typed.includes('=') ? [member] : (MEMBER_STEP.exec(member.slice(typed.length)) ?? []);
    const value = typed.includes('=') ? member : typed + step;
    return value === typed ? [] : [{ value, description: '' }];
  });
  const distinct = [...new Map(next.map((one) => [one.value, one])).values()];
  const isFile = distinct.some(({ value }) => value.endsWith('=@'));
  return { candidates: inWord(before, distinct), goesOn: isFile || !typed.includes('=') };
}

const MEMBER_STEP = /^(?:\\.|[^.=\\])*[.=]/;

function inWord(before: string, values: readonly Candidate[]): readonly Candidate[] {
  return values.map(({ value, description }) => ({ value: before + value, description }));
}

function textOrFile(typed: string, before: string): Completion {
  if (typed.startsWith('@')) return { candidates: [], filesAfter: `${before}@` };
  const ways = [
    { value: '@', description: 'Read a file: add its path.' },
    { value: '-', description: 'Read standard input.' },
  ];
  return { candidates: startingWith(before + typed, inWord(before, ways)), goesOn: true };
}

/** The columns that can follow the last comma, without those that are already listed. */
function columnsAfter({ typed, before, command }: ValueRequest): readonly Candidate[] {
  const head = typed.slice(0, typed.lastIndexOf(',') + 1);
  const name = typed.slice(head.length);
  const named = new Set(head.split(','));
  const deep = command.deepColumns.filter((path) =>
    name.startsWith(path.slice(0, path.lastIndexOf('.') + 1)),
  );
  const offered = [...command.columns, ...deep].filter((path) => !named.has(path));
  const values = offered.map((path) => ({ value: head + path, description: '' }));
  return startingWith(before + typed, inWord(before, values));
}
