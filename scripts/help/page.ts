import { wrapCommand } from '../../src/text/wrap.ts';

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

/** Columns that man leaves for a command on a terminal of 80. */
const MAN_WIDTH = 66;

/** A longer term has a line of its own. */
const LONGEST_TERM = 27;

/** The text of a page, in the form that `renderHelp` breaks into lines for a terminal. */
export function toHelpText({ summary, sections }: Page): string {
  const parts = sections.map(({ heading, blocks }) => {
    const indent = heading === '' ? '' : '  ';
    const lines = blocks.map((block, index) => {
      // Paragraphs are apart; a line for a shell belongs to the one that introduces it.
      const isApart = heading === '' && index > 0 && block.kind !== 'command';
      return (isApart ? '\n' : '') + blockText(block, indent);
    });
    return [...(heading === '' ? [] : [heading]), ...lines].join('\n');
  });
  return `${[`\t${summary}`, ...parts].join('\n\n')}\n`;
}

function blockText(block: Block, indent: string): string {
  switch (block.kind) {
    case 'text':
      return `${indent}\t${block.text}`;
    case 'command':
      return `${indent}  \t\t${block.command}`;
    case 'rows':
      return rowsText(block.rows, { indent, termWidth: block.termWidth });
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

/** What a man page has beyond its page. */
export type ManOptions = {
  /** 1 for commands, 7 for topics. */
  readonly chapter: number;
  /** `payctl 1.2.3`. */
  readonly source: string;
  /** Other pages: `payctl(1)`. */
  readonly seeAlso: readonly string[];
};

/** The man page of a page, in roff with the macros of man(7). */
export function toRoff({ name, summary, sections }: Page, { chapter, source, seeAlso }: ManOptions): string {
  const title = manName(name);
  const parts = sections.map(({ heading, blocks }) => {
    const head = heading === '' ? 'DESCRIPTION' : heading;
    return [`.SH ${quoted(head)}`, ...blocks.flatMap(blockRoff)].join('\n');
  });
  return `${[
    '.\\" Written by scripts/help from the same source as payctl --help; do not edit.',
    `.TH ${quoted(title.toUpperCase())} ${chapter} "" ${quoted(source)} "payctl"`,
    '.nh',
    '.ad l',
    '.SH NAME',
    `${escaped(title)} \\- ${escaped(lowerFirst(summary).replace(/\.$/, ''))}`,
    ...parts,
    '.SH SEE ALSO',
    seeAlso.map((page) => `.BR ${escaped(page).replace('(', ' (')}`).join(' ,\n'),
  ].join('\n')}\n`;
}

/** `buyers list` is the page `payctl-buyers-list`. */
export function manName(name: string): string {
  return ['payctl', ...name.split(' ')].filter((word) => word !== '').join('-');
}

function blockRoff(block: Block): string[] {
  switch (block.kind) {
    case 'text':
      return ['.PP', escaped(block.text)];
    case 'command':
      return ['.PP', '.RS 4', '.nf', ...wrapCommand(block.command, MAN_WIDTH).map(escaped), '.fi', '.RE'];
    case 'rows':
      return block.rows.flatMap(([term, text]) => ['.TP', `.B ${escaped(term.trim())}`, escaped(text)]);
  }
}

/** Text that roff prints as it is: no escapes, no requests, hyphens that can be copied. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('"', '\\(dq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll(
      /[\u0080-\uffff]/g,
      (char) => `\\[u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/^\./, '\\&.');
}

function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
