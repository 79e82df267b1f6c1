import type { TokenKind } from '../json/pretty.ts';
import type { TimeStyle } from '../text/zoned-times.ts';

/** What is known about one output stream, and the settings of colour; environment variables as the caller read them. */
export type TerminalInputs = {
  readonly isTTY: boolean | undefined;
  readonly columns: number | undefined;
  readonly env: {
    readonly NO_COLOR?: string | undefined;
    readonly FORCE_COLOR?: string | undefined;
    readonly TERM?: string | undefined;
  };
  /** `--no-color` was given. */
  readonly noColorFlag: boolean;
  /** A terminal shows times in UTC instead of the zone of the machine. */
  readonly utc?: boolean;
};

/** How to write to one stream. Decided once, for stdout and stderr separately. */
export type Terminal = {
  readonly isTerminal: boolean;
  readonly color: boolean;
  /** Display columns when the decision was made; a sink knows the current ones. */
  readonly width: number;
  /** Whether a line may be erased and drawn again: false in a pipe and on a dumb terminal. */
  readonly canRedraw: boolean;
  /** Whether an ellipsis may be one character instead of three full stops. */
  readonly unicode: boolean;
  /** How times are shown; those of a pipe stay as they were sent. */
  readonly times: TimeStyle;
};

const defaultWidth = 80;
const dumbTerminals = new Set(['dumb']);
/** The Linux console has a font of 512 glyphs; a dumb terminal promises nothing. */
const plainTerminals = new Set(['dumb', 'linux']);

/**
 * Decides by one rule: `--no-color`, then NO_COLOR (anything but empty), then FORCE_COLOR (`0` and `false` mean off,
 * anything else but empty means on, also in a pipe), then whether the stream is a terminal that is not dumb.
 */
export function decideTerminal(inputs: TerminalInputs): Terminal {
  const isTerminal = inputs.isTTY === true;
  const term = inputs.env.TERM ?? '';
  return {
    isTerminal,
    color: decideColor(inputs, isTerminal && !dumbTerminals.has(term)),
    width: inputs.columns || defaultWidth,
    canRedraw: isTerminal && !dumbTerminals.has(term),
    unicode: !isTerminal || !plainTerminals.has(term),
    times: !isTerminal ? 'sent' : inputs.utc ? 'utc' : 'local',
  };
}

function decideColor(inputs: TerminalInputs, capable: boolean): boolean {
  if (inputs.noColorFlag || inputs.env.NO_COLOR) return false;
  const forced = inputs.env.FORCE_COLOR;
  if (forced) return forced !== '0' && forced !== 'false';
  return capable;
}

/** The few styles of payctl; each takes text that has been sanitised already. */
export type Colors = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
};

const asItIs = (text: string): string => text;

/** Styles that change nothing: for pipes, files and `--no-color`. */
export const plainColors: Colors = {
  bold: asItIs,
  dim: asItIs,
  red: asItIs,
  green: asItIs,
  yellow: asItIs,
  cyan: asItIs,
};

/**
 * Gives the styles for a stream. chalk is loaded only when there is colour to show. Its own detection is not used: the
 * decision is made once, by `decideTerminal`, and the sixteen colours that every terminal theme maps are enough.
 */
export async function loadColors(enabled: boolean): Promise<Colors> {
  if (!enabled) return plainColors;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    red: (text) => chalk.red(text),
    green: (text) => chalk.green(text),
    yellow: (text) => chalk.yellow(text),
    cyan: (text) => chalk.cyan(text),
  };
}

/** Gives the tokens of JSON their colours, for `prettyJson`. */
export function jsonPainter(colors: Colors): (token: string, kind: TokenKind) => string {
  const styles: Readonly<Record<TokenKind, (text: string) => string>> = {
    name: colors.bold,
    string: colors.green,
    number: colors.cyan,
    boolean: colors.yellow,
    null: colors.dim,
  };
  return (token, kind) => styles[kind](token);
}
