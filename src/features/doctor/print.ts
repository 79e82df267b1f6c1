import type { OutputFlagValues } from '../../cli/flags/list.ts';
import type { Display } from '../../cli/show/display.ts';
import { writerOptions } from '../../cli/show/writer-options.ts';
import { pickText } from '../../json/edit.ts';
import type { Column } from '../../output/columns.ts';
import { writeList } from '../../output/list-writer.ts';
import { sanitizeText } from '../../output/sanitize.ts';
import type { Colors } from '../../output/terminal.ts';
import { displayWidth, hang } from '../../output/width.ts';
import { wrapProse } from '../../text/wrap.ts';
import { type CheckState, countOf, type Finding } from './finding.ts';

/** Prints findings. */
export type FindingPrinter = {
  /** On a terminal prints it at once. */
  add(finding: Finding): Promise<void>;
  /** Prints what is not printed yet, and flushes. */
  end(): Promise<void>;
};

/**
 * Opens the printer of a run: one line a check on a terminal, tab-separated lines in a pipe, else one document.
 * @throws UsageError `invalid_jq`
 */
export async function openFindingPrinter(display: Display, flags: OutputFlagValues): Promise<FindingPrinter> {
  const options = await writerOptions({ display }, flags, { columns: DOCTOR_COLUMNS });
  const isPlain = flags.jq === undefined && flags.columns === undefined;
  if (isPlain && display.format.aligned && display.stdoutTerminal.isTerminal) {
    return createTerminalPrinter(display);
  }
  const findings: Finding[] = [];
  return {
    add: async (finding) => void findings.push(withoutSecrets(finding, display)),
    async end() {
      const records = findings.map(toRecord);
      const paths = options.columns.map(({ path }) => path);
      const whole = records.map((record) => JSON.stringify(record));
      const texts = flags.columns ? whole.map((text) => pickText(text, paths)) : whole;
      const [problems, warnings] = [countOf(findings, 'fail'), countOf(findings, 'warn')];
      const text = `{"checks":[${texts.join(',')}],"problems":${problems},"warnings":${warnings}}`;
      // Columns are chosen here already where the document is not one of `items`.
      const explicitColumns = options.explicitColumns && !options.jq && display.format.isForPeople === true;
      const { length: count } = records;
      const page = { text, count, items: records, texts: () => texts, hasLines: false, rest: () => [] };
      await writeList(page, { ...options, explicitColumns });
    },
  };
}

function createTerminalPrinter(display: Display): FindingPrinter {
  const { stdout, stdoutTerminal } = display;
  return {
    async add(finding) {
      const { loadColors } = await import('../../output/terminal.ts');
      const colors = await loadColors(stdoutTerminal.color);
      await stdout.write(drawFinding(withoutSecrets(finding, display), { width: stdout.columns, colors }));
    },
    end: () => stdout.end(),
  };
}

/** A service may send back what it was sent. */
function withoutSecrets(finding: Finding, display: Display): Finding {
  const { message, remedy } = finding;
  return {
    ...finding,
    message: display.redact(message),
    remedy: remedy === undefined ? undefined : display.redact(remedy),
  };
}

/** A finding as documents hold it: four members that are always there, and the facts of the check. */
function toRecord({ name, state, message, remedy, facts }: Finding) {
  return { name, state, message, remedy: remedy ?? null, ...facts };
}

/** How a terminal is drawn to. */
export type DrawOptions = {
  /** Display columns. */
  readonly width: number;
  readonly colors: Colors;
};

const STATE_WIDTH = 'pass'.length;
const NAME_WIDTH = 'merchant-account'.length;
const GAP = 2;
const TEXT_AT = STATE_WIDTH + GAP + NAME_WIDTH + GAP;
/** Where the text begins on a narrow terminal, on the line below the name. */
const TEXT_BELOW_AT = STATE_WIDTH + GAP;
const NARROWEST_TEXT = 36;
/** Marks what to do, also where there is no colour. */
const ARROW = '-> ';

/**
 * Draws a finding for a terminal: state, name and what was found, and below it what to do; every text is sanitised and
 * wrapped between words. A path, a command and a URL are never broken.
 */
export function drawFinding(
  { name, state, message, remedy }: Finding,
  { width, colors }: DrawOptions,
): string {
  const isNarrow = width - TEXT_AT < NARROWEST_TEXT;
  const textAt = isNarrow ? TEXT_BELOW_AT : TEXT_AT;
  const wrap = (text: string, available: number) =>
    wrapProse(sanitizeText(text), available, displayWidth).split('\n');
  const paintState = colors[COLORS[state]];
  const head = `${paintState(state)}${' '.repeat(STATE_WIDTH - state.length + GAP)}`;
  const paint = state === 'skip' ? colors.dim : (text: string) => text;
  const found = wrap(message, width - textAt);
  const steps = remedy ? wrap(remedy, width - textAt - ARROW.length) : [];
  const lines = [
    ...found,
    ...steps.map((line, index) => (index === 0 ? ARROW : ' '.repeat(ARROW.length)) + line),
  ];
  const paintLine = (line: string, index: number) =>
    index < found.length ? paint(line) : line.slice(0, ARROW.length) + colors.cyan(line.slice(ARROW.length));
  const text = hang(lines, { at: textAt, width, paint: paintLine });
  if (isNarrow || text.startsWith('\n')) {
    const below = text.startsWith('\n') ? text : `\n${' '.repeat(textAt)}${text}`;
    return `${head}${name}${below}\n`;
  }
  return `${head}${name.padEnd(NAME_WIDTH + GAP)}${text}\n`;
}

const COLORS = { pass: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const satisfies Record<
  CheckState,
  keyof Colors
>;

/** The columns of a finding: how it is, of what, and what to do about it. */
export const DOCTOR_COLUMNS: readonly Column[] = [
  { header: 'STATE', path: 'state', minWidth: 5 },
  { header: 'CHECK', path: 'name', minWidth: 16 },
  { header: 'FOUND', path: 'message', minWidth: 20 },
  { header: 'REMEDY', path: 'remedy', minWidth: 20 },
];
