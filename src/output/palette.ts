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

/** Gives the styles for a stream. chalk is loaded only when there is colour to show. */
export async function loadColors(enabled: boolean): Promise<Colors> {
  if (!enabled) return plainColors;
  const { createColors } = await import('./color.ts');
  return createColors(true);
}
