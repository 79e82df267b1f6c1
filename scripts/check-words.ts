/**
 * Checks the comments of the sources for phrases that read as translated, and names what to write instead. Grows with each
 * review.
 */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A phrase as a regular expression, and what says the same in plain English. */
const PHRASES: readonly (readonly [phrase: string, instead: string])[] = [
  ['beside', 'next to, with, in addition to'],
  ['but for', 'except, except for'],
  ['(?:said|says?|known?|knows) of', 'about'],
  ['of no use', 'useless, cannot be used'],
  ['nobody asked', 'unsolicited, unrequested'],
  ['for ever', 'forever, endlessly'],
  ['all the same', 'anyway, still'],
  ['once more|anew', 'again'],
  ['in vain', 'without success'],
  ['foresees?', 'prefetch, expect'],
  ['taken for', 'treated as, mistaken for'],
  ['held back', 'withheld, buffered'],
  ['or else', 'otherwise'],
  ['that very', 'the same, exactly that'],
  ['that there (?:is|are)', 'that exists'],
  ['(?:that|what|which) (?:is|are) no (?!longer)', 'is not a'],
  ['(?<!there )(?:is|are) none(?! of)', 'is not one'],
  ['as (?:it|they) came', 'unchanged'],
  ['leads? on', 'has a next page'],
  ['goes on', 'continues'],
  ['makes? of (?:it|them)', 'derives'],
  ['(?:request|look|time|level|step|byte|page|second) more', 'another, a further'],
  ['comes? (?:again|twice|a second time)', 'is repeated'],
  ['stands? (?:in|at|before|after|on|below|above|here|there|behind)', 'is, appears'],
  ['told apart|tells? apart', 'distinguish'],
  ['without a word', 'silently'],
  ['be had', 'is available'],
  ['takes? back', 'undo, delete'],
  ['what there is to (?:say|know)', 'notes about'],
  ['in one another', 'nested'],
];

/**
 * Comments; a `/*` within a word belongs to a path, and a `//` after a colon, a quotation mark or a backslash to an address or a
 * pattern.
 */
const COMMENTS = /(?<=^|\s|[({,])\/\*[\s\S]*?\*\/|(?<![:'"`\w\\/])\/\/.*/gm;

/** The phrases in the comments of a file, each with its line and what to write instead. */
export function foreignPhrases(source: string): readonly string[] {
  return [...source.matchAll(COMMENTS)].flatMap(({ 0: comment, index }) => {
    const line = source.slice(0, index).split('\n').length;
    const text = comment.replaceAll(/\n\s*\*?\s*/g, ' ');
    return PHRASES.flatMap(([phrase, instead]) => {
      const found = new RegExp(`\\b(?:${phrase})\\b`, 'i').exec(text);
      return found ? [`${line}: "${found[0]}": ${instead}`] : [];
    });
  });
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const files = globSync('{src,test,scripts,bench}/**/*.{ts,js}', { cwd: root }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  const findings = files
    .filter((file) => !file.includes('/check-words.'))
    .flatMap((file) =>
      foreignPhrases(readFileSync(join(root, file), 'utf8')).map((finding) => `${file}:${finding}`),
    );
  for (const finding of findings) process.stderr.write(`${finding}\n`);
  if (findings.length > 0) process.exitCode = 1;
}
