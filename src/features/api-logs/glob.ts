import { isParameter } from '../../cli/routing/catalog/paths.ts';

/** A pattern as steps: a character, or what stands for several. */
type Step = string | 'any' | 'one' | 'within' | 'across' | 'parameter';

/** A compiled pattern; `isParameter` says about each segment whether it stands for a value. */
export type Glob = (text: string, parameters?: readonly boolean[]) => boolean;

/**
 * Compiles a pattern that has to match a whole path: `*` is anything within a segment, `**` anything, `?` one character of a
 * segment, and a segment such as `{id}` one that stands for a value. Takes time in proportion to pattern and text, whatever
 * they are.
 */
export function compileGlob(pattern: string): Glob {
  const steps = stepsOf(pattern);
  const isFixed = steps.findIndex((step) => step.length > 1);
  const prefix = steps.slice(0, isFixed === -1 ? undefined : isFixed).join('');
  if (isFixed === -1) return (text) => text === prefix;
  const rest = steps.slice(isFixed);
  return (text, parameters) =>
    text.startsWith(prefix) && matchSteps(rest, { text, from: prefix.length, parameters });
}

function stepsOf(pattern: string): readonly Step[] {
  return pattern.split('/').flatMap((segment, index): readonly Step[] => {
    const slash: Step[] = index === 0 ? [] : ['/'];
    if (isParameter(segment)) return [...slash, 'parameter'];
    const tokens = segment.match(/\*\*+|\*|[^*]/gs) ?? [];
    const steps = tokens.map((token): Step => {
      if (token === '*') return 'within';
      if (token === '?') return 'one';
      return token.startsWith('*') ? 'across' : token;
    });
    return [...slash, ...steps];
  });
}

type Subject = {
  readonly text: string;
  readonly from: number;
  readonly parameters: readonly boolean[] | undefined;
};

/** Follows all ways to match at once: the set of the steps that may come next, character by character. */
function matchSteps(steps: readonly Step[], { text, from, parameters }: Subject): boolean {
  let segment = text.slice(0, from).split('/').length - 1;
  let states = withSkipped(steps, [0]);
  for (let at = from; at < text.length && states.length > 0; at += 1) {
    const char = text.charAt(at);
    if (char === '/') segment += 1;
    const isValue = parameters?.[segment] !== false;
    const next = states.flatMap((state) => after(steps[state], state, { char, isValue }));
    states = withSkipped(steps, next);
  }
  return states.includes(steps.length);
}

/** The states after one character that a step takes. */
function after(
  step: Step | undefined,
  state: number,
  { char, isValue }: { readonly char: string; readonly isValue: boolean },
): readonly number[] {
  if (step === 'across') return [state];
  if (char === '/') return step === '/' ? [state + 1] : [];
  if (step === 'within') return [state];
  if (step === 'parameter') return isValue ? [state, state + 1] : [];
  return step === 'one' || step === char ? [state + 1] : [];
}

/** Adds the states that come after steps which may take nothing. */
function withSkipped(steps: readonly Step[], states: readonly number[]): readonly number[] {
  const all = new Set(states);
  for (const state of all) {
    const step = steps[state];
    if (step === 'within' || step === 'across') all.add(state + 1);
  }
  return [...all];
}
