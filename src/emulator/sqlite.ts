import type * as Sqlite from 'node:sqlite';

/**
 * Loads Node's own SQLite without its ExperimentalWarning, which Node 22 prints at that moment. The filter stands for
 * the length of this one synchronous load and holds back nothing but that warning.
 */
export function loadSqlite(): typeof Sqlite {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (isSqliteWarning(warning, rest)) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isSqliteWarning(warning: string | Error, [kind]: unknown[]): boolean {
  return typeof warning === 'string' && kind === 'ExperimentalWarning' && /^SQLite\b/.test(warning);
}
