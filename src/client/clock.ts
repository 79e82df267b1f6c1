/**
 * Milliseconds on a clock that only goes forward, to measure how long something takes. Node loads eleven modules for its
 * `performance`, which reads the same clock.
 */
export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
