import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectory, type Environment } from '../../config/environment.ts';

/**
 * Whether a run may have an imported description: one was imported on this machine, or a variable names one. Reads no file, and
 * loads nothing of what reads descriptions.
 */
export function mayBeImported(environment: Environment): boolean {
  return (
    environment.description !== undefined || existsSync(join(dataDirectory(environment), 'descriptions'))
  );
}
