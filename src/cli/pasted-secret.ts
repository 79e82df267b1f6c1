import type { Interface } from 'node:readline';

/** How long nothing may come before a paste counts as over: its pieces follow each other closely. */
const QUIET_MILLISECONDS = 150;

/** The lines of a PEM text that begin and end its blocks. */
const PEM_EDGES = /-----(BEGIN|END) ([A-Z0-9 ]+)-----/g;

/**
 * Calls `resolve` with a token or a key once it has been pasted to its end, without the white space around it. What were
 * left behind would stand on the terminal, and the shell would run it; so it is judged only when nothing more comes.
 */
export function takeSecret(
  lines: Interface,
  input: NodeJS.ReadableStream,
  resolve: (secret: string) => void,
): void {
  const gathered: string[] = [];
  let quiet: NodeJS.Timeout | undefined;
  const judge = () => {
    if (lines.line === '' && isWhole(gathered)) resolve(gathered.join('\n').trim());
  };
  const wait = () => {
    clearTimeout(quiet);
    quiet = gathered.length > 0 ? setTimeout(judge, QUIET_MILLISECONDS) : undefined;
  };
  lines.on('line', (line) => void gathered.push(line));
  input.on('keypress', wait);
  // Whoever comes back is asked again, and cannot see that there was a beginning.
  lines.on('SIGCONT', () => {
    gathered.length = 0;
    Object.assign(lines, { line: '', cursor: 0 });
  });
  lines.on('close', () => {
    clearTimeout(quiet);
    input.off('keypress', wait);
  });
}

/**
 * A token is one line; of a key, or of base64 of it, the first line is only its beginning, and after the parameters of a
 * curve the key itself is to come. An empty line ends what has no end.
 */
function isWhole(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  const pem = /^\s*LS0tLS1/.test(text) ? Buffer.from(text, 'base64').toString() : text;
  const [, edge, label] = [...pem.matchAll(PEM_EDGES)].at(-1) ?? [];
  return (edge !== 'BEGIN' && label !== 'EC PARAMETERS') || lines.at(-1)?.trim() === '';
}
