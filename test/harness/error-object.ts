import { expect } from 'vitest';

/**
 * The error that stderr holds with JSON output. Fails unless it is the last line, after one line for each of the warnings
 * with these codes and nothing else.
 */
export function errorObject(stderr: string, warnings: readonly string[] = []): Record<string, unknown> {
  expect(stderr).toMatch(/^(\{"warning":\{[^\n]+\}\}\n)*\{"error":\{[^\n]+\}\}\n$/);
  const lines = stderr.trimEnd().split('\n');
  const { error } = JSON.parse(lines.pop() ?? '') as { error: Record<string, unknown> };
  expect(lines.map((line) => JSON.parse(line).warning.code)).toEqual(warnings);
  return error;
}
