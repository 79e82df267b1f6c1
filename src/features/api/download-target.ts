import type { Display } from '../../cli/show/display.ts';
import { OutputError, type UsageError } from '../../errors.ts';
import { unwritable } from '../../files/output-file.ts';
import type { PartFile } from '../../files/part-file.ts';
import { sanitizeLines } from '../../output/sanitize.ts';
import { isTextType } from '../../text/media-type.ts';

/** Where a response is written as it comes. */
export type DownloadTarget = {
  /**
   * Called before the first piece of each attempt, with the media type of the response; empty where that is not known.
   * @throws OutputError `binary_on_terminal`
   */
  begin(type: string): Promise<void>;
  write(piece: Uint8Array): Promise<void>;
  end(): Promise<void>;
};

/** Writes to a file with this path, and shows progress on a terminal. Its methods throw OutputError `file_unwritable`. */
export function fileTarget(file: PartFile, path: string, { progress }: Display): DownloadTarget {
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      throw unwritable(OutputError, path, error);
    }
  };
  let bytes = 0;
  const startedAt = performance.now();
  progress.start(() => {
    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    return bytes === 0 ? `Waiting for the service, ${seconds} s` : `${sizeOf(bytes)}, ${seconds} s`;
  });
  return {
    begin: async () => {
      bytes = 0;
      attempt(() => file.restart());
    },
    write: async (piece) => {
      attempt(() => file.write(piece));
      bytes += piece.length;
    },
    end: () => progress.stop(),
  };
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Writes to stdout: the exact bytes, or on a terminal text whose control characters are replaced. */
export function stdoutTarget({ stdout, stdoutTerminal, page }: Display, name: string): DownloadTarget {
  let text: TerminalText | undefined;
  return {
    async begin(type) {
      if (!stdoutTerminal.isTerminal) return;
      if (!isTextType(type)) throw binaryOnTerminal(OutputError, name, type || 'no media type');
      page();
      text = new TerminalText();
    },
    write: async (piece) => {
      if (text) await stdout.write(text.add(piece));
      else await stdout.writeBytes(piece);
    },
    async end() {
      if (text) await stdout.write(text.end());
      await stdout.end();
    },
  };
}

/** Bytes of a text as they may be shown on a terminal, whose lines end as in any text for it. */
class TerminalText {
  readonly #decoder = new TextDecoder();
  /** A carriage return whose line feed may come with the next piece. */
  #held = '';
  #isLineOpen = false;

  add(piece: Uint8Array): string {
    return this.#shown(this.#held + this.#decoder.decode(piece, { stream: true }));
  }

  /** The rest, and an end for a line that has none. */
  end(): string {
    const rest = this.#held + this.#decoder.decode();
    this.#held = '';
    const shown = rest === '' ? '' : this.#lines(rest);
    return this.#isLineOpen ? `${shown}\n` : shown;
  }

  #shown(text: string): string {
    this.#held = text.endsWith('\r') ? '\r' : '';
    return this.#lines(this.#held === '' ? text : text.slice(0, -1));
  }

  #lines(text: string): string {
    if (text !== '') this.#isLineOpen = !text.endsWith('\n');
    return sanitizeLines(text.replaceAll('\r\n', '\n'));
  }
}

/** The error for bytes that are not text and would go to a terminal. */
export function binaryOnTerminal<Class extends typeof UsageError | typeof OutputError>(
  Kind: Class,
  name: string,
  type: string,
): InstanceType<Class> {
  return new Kind('binary_on_terminal', `${name} returns ${type}, which a terminal cannot show`, {
    hint: 'Add --output-file FILE, or redirect the output: > FILE',
  }) as InstanceType<Class>;
}
