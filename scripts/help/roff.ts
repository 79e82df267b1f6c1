import type { Block, Page } from '../../src/cli/routing/help/page.ts';
import { wrapCommand } from '../../src/text/wrap.ts';

/** Columns that man leaves for a command on a terminal of 80. */
const MAN_WIDTH = 66;

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
