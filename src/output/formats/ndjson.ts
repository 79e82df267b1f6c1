import { minifyJson } from '../../json/edit.ts';
import type { ListWriterOptions, ShownDocument } from '../format.ts';
import type { JqResult, ListWriter } from '../list-page.ts';
import { escapeJsonText } from '../sanitize.ts';
import { chosenTexts } from './json.ts';

/** Writes one JSON document a line, each exactly as the service wrote it; an item over several lines is compacted. */
export function createWriter(options: ListWriterOptions): ListWriter {
  return {
    async page(page) {
      const texts = chosenTexts(page, options);
      if (texts.length === 0) return;
      const lines = page.hasLines ? texts.map(minifyJson) : texts;
      // Escaped together: a check of one long text takes less than that of many short ones.
      await options.stdout.write(`${escapeJsonText(lines.join('\n'))}\n`);
    },
    end: () => options.stdout.end(),
  };
}

/** Gives a document as one line of JSON. */
export function documentText({ chosen }: ShownDocument): string {
  return `${escapeJsonText(minifyJson(chosen))}\n`;
}

/** Gives results of jq as JSON, one a line. */
export function resultsText(results: readonly JqResult[]): string {
  return results
    .map(({ text, isJson }) => `${escapeJsonText(isJson ? text : JSON.stringify(text))}\n`)
    .join('');
}
