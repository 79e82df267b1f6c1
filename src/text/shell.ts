/**
 * A shell that people copy commands into. `powershell` is PowerShell 7.3 and later; Windows PowerShell 5.1, which comes with Windows,
 * hands quotation marks on to programs in a way of its own.
 */
export type Shell = 'posix' | 'cmd' | 'powershell' | 'windows-powershell';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The shell that a process was started from, as far as its variables say. On Windows it does not matter much: what has no `"`, `$`,
 * backtick or `%` is quoted in the same way for all shells of Windows.
 */
export function shellOf(platform: NodeJS.Platform, { SHELL = '', PSModulePath = '' }: Variables): Shell {
  if (platform !== 'win32') return 'posix';
  // Git Bash, MSYS2, Cygwin.
  if (/(?:^|[\\/])(?:ba|z|fi|da|k)?sh(?:\.exe)?$/i.test(SHELL)) return 'posix';
  // Windows sets the variable for all programs. A PowerShell adds the folder of its user, and below it those of its own version.
  if (/[\\/]PowerShell[\\/]/i.test(PSModulePath)) return 'powershell';
  return PSModulePath.split(';').some(isFolderOfUser) ? 'windows-powershell' : 'cmd';
}

function isFolderOfUser(path: string): boolean {
  return (
    /[\\/]WindowsPowerShell[\\/]Modules[\\/]?$/i.test(path) && !/^\w:[\\/]Program Files\b|^%/i.test(path)
  );
}

function currentShell(): Shell {
  return shellOf(process.platform, process.env);
}

/**
 * Quotes a value so that a shell passes it to a program as one argument: bare if that is safe. cmd cannot have a line break in an
 * argument.
 */
export function shellQuote(value: string): string {
  return quoteFor(currentShell(), value);
}

/** Quotes as `shellQuote`, for a given shell. */
export function quoteFor(shell: Shell, value: string): string {
  if (shell === 'posix')
    return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
  // PowerShell splits what begins with a hyphen at its dots.
  if (/^(?:-\w|(?:--|[\w+=:./\\])[\w+=:./\\-]*)$/.test(value)) return value;
  return shell === 'cmd' ? quoteForCmd(value) : quoteForPowerShell(value, shell);
}

/** A quotation mark is written twice, so that cmd counts an even number of them, and reads none of its own characters in the value. */
function quoteForCmd(value: string): string {
  const parts = value.split('%');
  // Between two of them would be the name of a variable. No variable has quotation marks in its name.
  if (parts.length > 2) return parts.map(quotedForCmd).join('%');
  return quotedForCmd(value);
}

function quotedForCmd(text: string): string {
  return `"${text.replace(/(?<!\\)(\\*)("|$)/g, '$1$1$2$2')}"`;
}

function quoteForPowerShell(value: string, shell: Shell): string {
  const given = shell === 'windows-powershell' ? escapedForProgram(value) : value;
  // PowerShell reads typographic quotation marks as it reads straight ones.
  if (/["$`\u201c-\u201e]/.test(given)) return `'${given.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
  return `"${given}"`;
}

/** Windows PowerShell puts a value with blanks in quotation marks, and leaves those in the value, and backslashes, to its writer. */
function escapedForProgram(value: string): string {
  // An empty one it would leave out.
  if (value === '') return '""';
  const escaped = value.replace(/(?<!\\)(\\*)"/g, '$1$1\\"');
  return /\s/.test(value) ? escaped.replace(/(?<!\\)\\+$/, '$&$&') : escaped;
}

/** Whether people copy commands into a POSIX shell, for which the texts of payctl are written. */
export function isPosixShell(): boolean {
  return currentShell() === 'posix';
}

/**
 * A text that is written for a POSIX shell, such as a fixed hint, with what is quoted in it as the shell of the user reads it:
 * `'.items[].id'`, and a file after `@`, which PowerShell would read as something else. Not for a text with quoted values in it.
 */
export function inShell(text: string, shell: Shell = currentShell()): string {
  if (shell === 'posix') return text;
  return text.replace(
    /(?<=^|[ =])(?:'([^']*)'(?=$|[\s,.;:)])|(@[\w.-]*\w))/g,
    (_, quoted?: string, file?: string) => quoteFor(shell, quoted ?? file ?? ''),
  );
}

/** A command that is written for a POSIX shell, for the shell of the user. What only another shell can run stays as it is. */
export function commandInShell(command: string, shell: Shell = currentShell()): string {
  if (shell === 'posix' || /\$\(|<\(/.test(command)) return command;
  // A list with commas would be an array for the script of npm.
  const quoted = inShell(command, shell).replace(/(?<=[ =])[\w.-]+(?:,[\w.-]+)+(?=$| )/g, '"$&"');
  // PowerShell has no `<`.
  const needsCmd = shell !== 'cmd' && command.includes(' < ') && !/["']/.test(command);
  return needsCmd ? `cmd /c "${command}"` : quoted;
}

/** The command that sets variables for the programs that are started next. */
export function setVariables(
  variables: Readonly<Record<string, string>>,
  shell: Shell = currentShell(),
): string {
  const entries = Object.entries(variables);
  if (shell === 'posix')
    return `export ${entries.map(([name, value]) => `${name}=${quoteFor(shell, value)}`).join(' ')}`;
  if (shell === 'cmd') return entries.map(([name, value]) => `set "${name}=${value}"`).join(' & ');
  // No program gets the value.
  return entries
    .map(([name, value]) => `$env:${name} = ${quoteForPowerShell(value, 'powershell')}`)
    .join('; ');
}

/** The command that converts a file to UTF-8. Windows has no iconv; its PowerShell writes a byte order mark, which payctl takes. */
export function toUtf8Command(encoding: 'latin1' | 'utf-16' | 'windows-1252'): string {
  if (isPosixShell()) return `iconv -f ${encoding} -t utf-8`;
  return 'powershell -Command "Get-Content FILE | Set-Content -Encoding utf8 NEW_FILE"';
}
