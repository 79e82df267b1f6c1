import { expect } from 'vitest';

/** The error that stderr holds beside JSON output. Fails unless one line with one JSON object is all that is there. */
export function errorObject(stderr: string): Record<string, unknown> {
  expect(stderr).toMatch(/^\{"error":\{[^\n]+\}\}\n$/);
  return (JSON.parse(stderr) as { error: Record<string, unknown> }).error;
}
