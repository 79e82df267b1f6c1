import { requireOneFormat } from '../../../config/settings.ts';
import { parseOutput } from '../../../config/values.ts';
import { UsageError } from '../../../errors.ts';
import { FORMATS } from '../../../output/formats.ts';
import { flagWords } from '../leading-flags.ts';

/**
 * Help and the version are text, or JSON where nothing else is asked for.
 * @throws UsageError `invalid_output`, `format_conflict`, `format_not_possible`
 */
export function requireFormat(
  format: { readonly name: string; readonly isBefore: boolean },
  argv: readonly string[],
): void {
  const name = parseOutput(format.name, '--output');
  requireOneFormat({ json: flagWords(argv).includes('--json'), output: name });
  if (FORMATS[name].isForPeople || format.isBefore) return;
  throw new UsageError('format_not_possible', `Help and the version are not shown as ${name}`, {
    hint: 'They are text, or one JSON document with --json.',
  });
}
