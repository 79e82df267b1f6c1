import { pickText } from '../../output/json-at.ts';
import { createListWriter } from '../../output/list-writer.ts';
import { DOCTOR_COLUMNS } from '../columns/doctor.ts';
import type { Display } from '../display.ts';
import type { OutputFlagValues } from '../flags/list-flags.ts';
import { writerOptions } from '../writer-options.ts';
import { drawFinding } from './draw-finding.ts';
import { countOf, type Finding } from './finding.ts';

/** Prints findings. */
export type FindingPrinter = {
  /** On a terminal prints it at once. */
  add(finding: Finding): Promise<void>;
  /** Prints what is not printed yet, and flushes. */
  end(): Promise<void>;
};

/**
 * Opens the printer of a run: one line a check on a terminal, tab-separated lines in a pipe, else one document.
 * @throws OutputError `invalid_jq`
 */
export async function openFindingPrinter(display: Display, flags: OutputFlagValues): Promise<FindingPrinter> {
  const options = await writerOptions(display, flags, DOCTOR_COLUMNS);
  const isPlain = flags.jq === undefined && flags.columns === undefined;
  if (isPlain && display.format === 'table' && display.stdoutTerminal.isTerminal) {
    return createTerminalPrinter(display);
  }
  const findings: Finding[] = [];
  return {
    add: async (finding) => void findings.push(withoutSecrets(finding, display)),
    async end() {
      const records = findings.map(toRecord);
      const texts = records.map((record) => {
        const text = JSON.stringify(record);
        return flags.columns ? pickText(text, flags.columns) : text;
      });
      const [faults, warnings] = [countOf(findings, 'fault'), countOf(findings, 'warning')];
      const text = `{"checks":[${texts.join(',')}],"faults":${faults},"warnings":${warnings}}`;
      // Columns are chosen here already where the document is not one of `items`.
      const explicitColumns = options.explicitColumns && display.format === 'table';
      const writer = await createListWriter({ ...options, explicitColumns, whole: false });
      await writer.page({ text, items: records, texts: () => texts, rest: () => [] });
      await writer.end({ nextCursor: null });
    },
  };
}

function createTerminalPrinter(display: Display): FindingPrinter {
  const { stdout, stdoutTerminal } = display;
  return {
    async add(finding) {
      const { loadColors } = await import('../../output/palette.ts');
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
    message: display.withoutSecrets(message),
    remedy: remedy === undefined ? undefined : display.withoutSecrets(remedy),
  };
}

/** A finding as documents hold it: four members that are always there, and the facts of the check. */
function toRecord({ name, state, message, remedy, facts }: Finding) {
  return { name, state, message, remedy: remedy ?? null, ...facts };
}
