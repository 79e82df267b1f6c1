/** What is known of one output stream and of the wishes about it; environment variables as the caller read them. */
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
};

/** How to write to one stream. Decided once, for stdout and stderr separately. */
export type Terminal = {
  readonly isTerminal: boolean;
  readonly color: boolean;
  /** Display columns when the decision was taken; a sink knows the current ones. */
  readonly width: number;
  /** Whether a line may be erased and drawn again: false in a pipe and on a dumb terminal. */
  readonly canRedraw: boolean;
  /** Whether an ellipsis may be one character instead of three full stops. */
  readonly unicode: boolean;
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
  };
}

function decideColor(inputs: TerminalInputs, capable: boolean): boolean {
  if (inputs.noColorFlag || inputs.env.NO_COLOR) return false;
  const forced = inputs.env.FORCE_COLOR;
  if (forced) return forced !== '0' && forced !== 'false';
  return capable;
}
