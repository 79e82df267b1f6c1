import { displayWidth } from '../../src/output/width.ts';

/** The colours of a terminal, by the number that selects a foreground colour. */
export type Theme = {
  readonly background: string;
  readonly border: string;
  readonly text: string;
  readonly colours: Readonly<Record<number, string>>;
};

/** Light and dark; every colour has a contrast of at least 4.5 to 1 with its background. */
export const THEMES = {
  light: {
    background: '#ffffff',
    border: '#d0d7de',
    text: '#1f2328',
    colours: { 31: '#b31d28', 32: '#116329', 33: '#7d4e00', 34: '#0550ae', 35: '#8250df', 36: '#0b6075' },
  },
  dark: {
    background: '#0d1117',
    border: '#30363d',
    text: '#e6edf3',
    colours: { 31: '#ff7b72', 32: '#56d364', 33: '#e3b341', 34: '#79c0ff', 35: '#d2a8ff', 36: '#76e3ea' },
  },
} as const satisfies Record<string, Theme>;

/** Width and height of a character cell, and the space around the text, in pixels. */
const CELL = { width: 8.4, height: 19 };
const PADDING = 14;

type Style = { readonly bold: boolean; readonly dim: boolean; readonly colour: number | undefined };
type Run = Style & { text: string; readonly column: number };

const ESCAPE = '\u001b';
const SEQUENCES = new RegExp(`(${ESCAPE}\\[[\\d;]*[A-Za-z])`);
const PLAIN: Style = { bold: false, dim: false, colour: undefined };

/**
 * Draws what a program wrote to a terminal (text with the escape sequences of bold, dim and the eight colours) as an SVG
 * image. `columns` is the width of the terminal.
 * @throws Error on any other escape sequence, which would be drawn wrongly
 */
export function terminalSvg(output: string, columns: number, theme: Theme): string {
  const rows = rowsOfRuns(output.replace(/\n$/, ''), columns);
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const height = rows.length * CELL.height + 2 * PADDING;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escapeXml(output.split('\n', 1).join(''))}</title>`,
    '<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}</style>',
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" fill="${theme.background}" stroke="${theme.border}"/>`,
    ...rows.flatMap((runs, row) => runs.map((run) => textElement(run, row, theme))),
    '</svg>',
  ].join('\n')}\n`;
}

/**
 * The styled words of each row. A style lasts until it is changed, also over line ends; a line that is longer than the
 * terminal continues in the next row. Words have columns of their own, so that the widths of another font do not shift
 * the rest of the row.
 */
function rowsOfRuns(output: string, columns: number): Run[][] {
  let style = PLAIN;
  let runs: Run[] = [];
  let column = 0;
  let word: Run | undefined;
  const rows = [runs];
  const newRow = () => {
    runs = [];
    rows.push(runs);
    column = 0;
    word = undefined;
  };
  for (const piece of output.split(SEQUENCES)) {
    if (piece.startsWith(ESCAPE)) {
      style = changed(style, piece);
      word = undefined;
      continue;
    }
    for (const character of piece) {
      const width = character === '\n' ? 0 : displayWidth(character);
      if (character === '\n' || column + width > columns) newRow();
      if (character === '\n') continue;
      if (character === ' ') word = undefined;
      else if (word) word.text += character;
      else {
        word = { ...style, text: character, column };
        runs.push(word);
      }
      column += width;
    }
  }
  return rows;
}

function changed(style: Style, sequence: string): Style {
  const code = sequence.endsWith('m') ? Number(sequence.slice(2, -1)) : Number.NaN;
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, colour: undefined };
  if (code >= 31 && code <= 36) return { ...style, colour: code };
  throw new Error(`Cannot draw the escape sequence ${JSON.stringify(sequence)}`);
}

function textElement({ text, column, bold, dim, colour }: Run, row: number, theme: Theme): string {
  const x = (PADDING + column * CELL.width).toFixed(1);
  const y = (PADDING + row * CELL.height + CELL.height * 0.75).toFixed(1);
  const length = (displayWidth(text) * CELL.width).toFixed(1);
  const fill = (colour !== undefined && theme.colours[colour]) || theme.text;
  const weight = bold ? ' font-weight="700"' : '';
  const opacity = dim ? ' opacity="0.7"' : '';
  return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs" fill="${fill}"${weight}${opacity}>${escapeXml(text)}</text>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
