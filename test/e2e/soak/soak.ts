import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../src/text/random.ts';
import type { Run } from '../../harness/follow-process.ts';
import type { Home, RunOptions } from '../../harness/run-payctl.ts';
import { against } from '../paged-service.ts';
import type { FaultyService } from './faulty-service.ts';

/** What ends a run. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const;

/** What the runs of one kind share. */
export type Soak = {
  readonly home: Home;
  readonly service: FaultyService;
  readonly random: Random;
  /** Whether another run may begin. */
  hasTime(): boolean;
};

/** Runs payctl against the service to its end, or in half of the cases until a random signal. */
export async function runOrKill(
  { home, service, random }: Soak,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Run> {
  const running = home.start(args, { ...options, env: { ...against(service), ...options.env } });
  if (random.chance(0.5)) {
    await Promise.race([sleep(random.below(1_500)), running.done]);
    running.kill(random.pick(SIGNALS));
  }
  return await running.done;
}

/** The error that stderr ends with if the output is JSON; undefined for a run that a signal ended by itself. */
export function errorOf({ stderr }: Run): Record<string, unknown> | undefined {
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  return last.startsWith('{"error"') ? JSON.parse(last).error : undefined;
}

/** The warnings that stderr holds if the output is JSON. */
export function warningsOf(stderr: string): readonly Record<string, unknown>[] {
  const lines = stderr.split('\n').filter((line) => line.startsWith('{"warning"'));
  return lines.map((line) => JSON.parse(line).warning as Record<string, unknown>);
}
