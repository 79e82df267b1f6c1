import { configDirectory, type Environment } from '../../config/environment.ts';
import { BUILT_IN_PROFILES, readProfiles } from '../../config/profiles.ts';
import { complete } from './complete.ts';
import { type Candidate, type Completion, NOTHING, readCompletionData } from './data.ts';
import type { CompletionSources } from './values.ts';

/**
 * The response to the shell script at each press of Tab: one candidate per line, its value and, after a tab, its description
 * if it has one. The last line is for the script: a colon, then `nospace` if the word can continue, or `files` and the text
 * before the path if the shell should offer file names. Never rejects: after an error, there are only fewer candidates.
 */
export async function answerCompletion(
  words: readonly string[],
  environment: Environment,
  moduleUrl: string,
): Promise<string> {
  return formatCompletion(await findCompletion(words, environment, moduleUrl));
}

/** Formats the lines. The text of a candidate cannot add a line or a column. */
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

/** The profiles with a short description; only the built-in ones if the profiles file cannot be read. */
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
