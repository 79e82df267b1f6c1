/** Writes the formulae for Homebrew and Scoop into the folder that is named, which has the files of a release. */
import { join } from 'node:path';
import { writeFormulae } from './formulae.ts';

writeFormulae(join(import.meta.dirname, '..', '..'), process.argv[2] ?? 'out/release');
