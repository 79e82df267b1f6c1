import { sanitizeText } from '../../../output/sanitize.ts';

/** A page of help, from which both the text for the terminal and the man page are made. */
export type Page = {
  /** `buyers list`; empty for the program. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  readonly sections: readonly Section[];
};

/** A part of a page; one without heading follows the summary. */
export type Section = { readonly heading: string; readonly blocks: readonly Block[] };

/** What a section consists of. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  /** Terms and what they mean; `termWidth` aligns several lists. */
  | { readonly kind: 'rows'; readonly rows: readonly Row[]; readonly termWidth?: number | undefined }
  /** A line for a shell. */
  | { readonly kind: 'command'; readonly command: string };

/** A term and what it means. */
export type Row = readonly [term: string, text: string];

/** A longer term has a line of its own. */
const LONGEST_TERM = 27;

/**
 * The text of a page, in the form that `renderHelp` breaks into lines for a terminal. Each term and text stays on its
 * line and contains no control characters: this is where texts of a description enter the help.
 */
export function toHelpText({ summary, sections }: Page): string {
  const parts = sections.map(({ heading, blocks }) => {
    const indent = heading === '' ? '' : '  ';
    const lines = blocks.map((block, index) => {
      // Paragraphs are apart; a line for a shell belongs to the one that introduces it.
      const isApart = heading === '' && index > 0 && block.kind !== 'command';
      return (isApart ? '\n' : '') + blockText(block, indent);
    });
    return [...(heading === '' ? [] : [sanitizeText(heading)]), ...lines].join('\n');
  });
  return `${[`\t${sanitizeText(summary)}`, ...parts].join('\n\n')}\n`;
}

function blockText(block: Block, indent: string): string {
  switch (block.kind) {
    case 'text':
      return `${indent}\t${sanitizeText(block.text)}`;
    case 'command':
      return `${indent}  \t\t${sanitizeText(block.command)}`;
    case 'rows':
      return rowsText(
        block.rows.map(([term, text]): Row => [sanitizeText(term), sanitizeText(text)]),
        { indent, termWidth: block.termWidth },
      );
  }
}

function rowsText(
  rows: readonly Row[],
  { indent, termWidth }: { indent: string; termWidth: number | undefined },
): string {
  const widths = rows.map(([term]) => term.length).filter((length) => length <= LONGEST_TERM);
  const width = termWidth ?? Math.max(0, ...widths);
  return rows
    .flatMap(([term, text]) =>
      term.length > width
        ? [`${indent}${term}`, `${indent}${' '.repeat(width + 2)}\t${text}`]
        : [`${indent}${term.padEnd(width)}  \t${text}`],
    )
    .join('\n');
}
