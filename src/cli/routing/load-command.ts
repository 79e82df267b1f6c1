import { pathToFileURL } from 'node:url';
import type { BaseCommand } from '../base-command.ts';

/** Loads the command of a file, as a route names it. The build makes a `require` of the import. */
export async function loadCommand(file: string): Promise<typeof BaseCommand> {
  const module: { default: typeof BaseCommand } = await import(pathToFileURL(file).href);
  return module.default;
}
