import { Document, Scalar, visit } from 'yaml';
import { OutputError } from './output-error.ts';
import { replaceHidden, sanitizeText } from './sanitize.ts';

/**
 * Writes a parsed value as YAML that readers of YAML 1.1 and 1.2 understand alike: strings that either of them would
 * take for a number, a boolean, a date or null are quoted, big integers keep all digits, every string stays on one
 * line. Characters that must not reach a terminal raw are escaped within double quotes.
 * @throws OutputError `nested_too_deep`
 */
export function toYaml(value: unknown): string {
  try {
    const document = new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false });
    visit(document, {
      Scalar: (_, node) => {
        if (needsQuotes(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      },
    });
    const text = document.toString({
      lineWidth: 0,
      blockQuote: false,
      indentSeq: false,
      doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    });
    return replaceHidden(text, yamlEscape);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OutputError('nested_too_deep', 'The answer is nested too deeply for YAML.', 'Use -o json.');
  }
}

/** `=` alone is the default value of YAML 1.1, which several readers refuse. */
function needsQuotes(value: unknown): boolean {
  return typeof value === 'string' && (value === '=' || sanitizeText(value) !== value);
}

function yamlEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
