/** Writes a moment as the service does: ISO 8601 with milliseconds and the offset `+00:00`. */
export function timestamp(moment: Date): string {
  return `${moment.toISOString().slice(0, -1)}+00:00`;
}

/** The moment, in milliseconds since 1970, up to which the seeded past reaches; no seeded event is later. */
export const seedEndMs = Date.UTC(2025, 11, 1, 9);

/** One day in milliseconds. */
export const dayMs = 24 * 3600 * 1000;
