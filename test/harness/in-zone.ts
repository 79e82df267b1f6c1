import { onTestFinished } from 'vitest';

/** Makes this the time zone of the machine until the test ends. */
export function inZone(zone: string): void {
  const before = process.env.TZ;
  process.env.TZ = zone;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
}
