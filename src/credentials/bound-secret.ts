/**
 * A secret as payctl stores it: a first line that names the origin it is for, then the secret itself. The origin is part of what
 * is stored so that a profiles file that somebody edits cannot send the secret elsewhere. Versions before this one stored no
 * such line.
 */
const FIRST_LINE = /^payctl secret for (\S+)\n/;

/** The text to store for a secret that is for this origin. */
export function bindSecret(secret: string, origin: string): string {
  return `payctl secret for ${origin}\n${secret}`;
}

/** The parts of a stored text; without an origin it is from a version that stored none. */
export function readBoundSecret(text: string): { readonly origin?: string; readonly secret: string } {
  const [line, origin] = FIRST_LINE.exec(text) ?? [];
  if (line === undefined || origin === undefined) return { secret: text };
  return { origin, secret: text.slice(line.length) };
}
