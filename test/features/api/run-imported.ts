import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../client/live-client.ts';
import { runInProcess } from '../../commands/run-in-process.ts';
import { type Answer, answers, type Handler } from '../../harness/http-server.ts';
import { folderForAll, folderForTest } from '../../harness/temporary-folder.ts';

/** A description of one run's own in a file of its own, deleted at the end of the test. */
export function importedHome(description: unknown): Imported {
  return writtenTo(folderForTest(), description);
}

/** The same for all tests of a file or of a `describe`, which import it once. */
export function importedForAll(description: unknown): Imported {
  return writtenTo(folderForAll(), description);
}

type Imported = { readonly home: string; readonly file: string };

function writtenTo(home: string, description: unknown): Imported {
  const file = join(home, 'openapi.json');
  writeFileSync(file, typeof description === 'string' ? description : JSON.stringify(description));
  return { home, file };
}

type RunOptions = Pick<Parameters<typeof runInProcess>[1], 'columns' | 'onBytes'> & {
  readonly script?: readonly (Answer | Handler)[];
  readonly env?: Readonly<Record<string, string>>;
};

/** Runs a command line within the test, with a description and against a service that gives these answers. */
export async function runImported(...run: Parameters<typeof exchange>) {
  const { requests, ...done } = await exchange(...run);
  return { ...done, sent: requests.map(({ method, url, body }) => [method, url, ...(body ? [body] : [])]) };
}

/** The same, with the whole requests. */
export async function exchange(
  argv: readonly string[],
  { home, file }: { readonly home: string; readonly file: string | undefined },
  { script = [], env = {}, ...options }: RunOptions = {},
) {
  const server = await serve(answers(script));
  const done = await runInProcess(argv, {
    ...options,
    env: {
      PAYCTL_CONFIG_DIR: home,
      ...(file !== undefined && { PAYCTL_DESCRIPTION: file }),
      NO_COLOR: '1',
      PAYCTL_BASE_URL: server.origin,
      PAYCTL_TOKEN: 'opaque',
      PAYCTL_MAX_RETRIES: '0',
      ...env,
    },
  });
  return { ...done, requests: server.requests };
}
