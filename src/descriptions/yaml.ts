import { parseDocument } from 'yaml';

/** What YAML text says, or why it cannot be read and where. */
export type YamlResult =
  | { readonly value: unknown }
  | { readonly problem: string; readonly line?: number; readonly column?: number };

/**
 * Reads one YAML document. Refuses repeated keys, and aliases that stand for more than `maxAliases` values. A tag that is not
 * known is ignored.
 */
export function parseYamlText(text: string, maxAliases: number): YamlResult {
  try {
    const document = parseDocument(text, { prettyErrors: true, logLevel: 'silent' });
    const [error] = document.errors;
    if (error) {
      const [start] = error.linePos ?? [];
      const [problem = ''] = error.message.replace(/ at line \d+, column \d+:[\s\S]*$/, '').split('\n');
      return { problem, ...(start && { line: start.line, column: start.col }) };
    }
    return { value: document.toJS({ maxAliasCount: maxAliases }) };
  } catch (error) {
    // Aliases that lead to nothing or to too much, and nesting that the parser cannot follow.
    if (!(error instanceof Error)) throw error;
    return { problem: error instanceof RangeError ? 'it is nested too deeply' : error.message };
  }
}
