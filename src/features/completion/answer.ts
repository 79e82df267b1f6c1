import { configDirectory, type Environment } from '../../config/environment.ts';
import { BUILT_IN_PROFILES, readProfiles } from '../../config/profiles.ts';
import { complete } from './complete.ts';
import { type Candidate, type Completion, NOTHING, readCompletionData } from './data.ts';
import type { CompletionSources } from './values.ts';

/**
 * What the script of a shell asks for at each press of the key: one candidate a line, its value and, behind a tab, its
 * description if it has one. The last line is for the script: a colon, then `nospace` when the word may go on, or
 * `files` and what stands before the path when the shell is to offer names of files. Never rejects: whatever is wrong,
 * there is just less to offer.
 */
export async function answerCompletion(
  words: readonly string[],
  environment: Environment,
  moduleUrl: string,
): Promise<string> {
  return formatCompletion(await findCompletion(words, environment, moduleUrl));
}

/** The lines themselves. No text of a candidate makes a line of its own, or a second column. */
export function formatCompletion({ candidates, goesOn, filesAfter }: Completion): string {
  const lines = candidates.map(({ value, description }) =>
    description === '' ? value : `${value}\t${description.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')}`,
  );
  const order = filesAfter !== undefined ? `:files ${filesAfter}`.trimEnd() : goesOn ? ':nospace' : ':';
  return [...lines, order].map((line) => `${line}\n`).join('');
}

async function findCompletion(
  words: readonly string[],
  environment: Environment,
  moduleUrl: string,
): Promise<Completion> {
  try {
    const profiles: CompletionSources['profiles'] = async ({ builtIn }) =>
      listProfiles(environment).filter(({ value }) => builtIn || !BUILT_IN_PROFILES.has(value));
    return await complete(words, readCompletionData(moduleUrl), { profiles });
  } catch {
    return NOTHING;
  }
}

/** The profiles with what tells them apart; the built-in ones alone where the file of the profiles cannot be read. */
function listProfiles(environment: Environment): readonly Candidate[] {
  const { profiles, active } = readOrBuiltIn(environment);
  return [...profiles.values()].map((profile) => {
    const marks = [
      BUILT_IN_PROFILES.has(profile.name) ? 'built in' : (profile.environment ?? ''),
      profile.name === active ? 'active' : '',
    ];
    return { value: profile.name, description: marks.filter((mark) => mark !== '').join(', ') };
  });
}

function readOrBuiltIn(environment: Environment) {
  try {
    return readProfiles(configDirectory(environment));
  } catch {
    return { profiles: BUILT_IN_PROFILES, active: undefined };
  }
}
