const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * Shortens an ISO 8601 date-time with offset to the minute, in UTC: `2026-03-01 14:05Z`. Deterministic on every
 * machine; text that is no such date-time comes back as it was.
 */
export function compactTime(text: string): string {
  if (!dateTime.test(text)) return text;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return text;
  const iso = time.toISOString();
  return iso.length === 24 ? `${iso.slice(0, 10)} ${iso.slice(11, 16)}Z` : text;
}
