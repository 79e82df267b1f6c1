import { join } from 'node:path';
import { inject } from 'vitest';

/** Variables of a program that runs the sources: these are compiled, and freed of their types, once for the tests of a project. */
export function compiledSources(): { readonly NODE_COMPILE_CACHE: string } {
  return { NODE_COMPILE_CACHE: join(inject('sharedFolder'), 'sources') };
}
