/** Writes a moment as the service does: ISO 8601 with milliseconds and the offset `+00:00`. */
export function timestamp(moment: Date): string {
  return `${moment.toISOString().slice(0, -1)}+00:00`;
}
