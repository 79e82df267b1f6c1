import { createRuntime } from '../../../src/cli/runtime.ts';
import type { Session } from '../../../src/cli/session/session.ts';
import { createDisplay } from '../../../src/cli/show/display.ts';
import { resolveSettings } from '../../../src/config/settings.ts';
import type { OutputName } from '../../../src/output/formats.ts';
import { MemoryStream } from '../../output/memory-stream.ts';

type FakeOptions = {
  readonly format?: OutputName;
  /** Makes stdout a terminal of this width. */
  readonly columns?: number;
  readonly quiet?: boolean;
};

/** A session without a client: its streams are memory, its settings the defaults. */
export type FakeSession = {
  readonly session: Session;
  readonly stdout: MemoryStream;
  /** Everything on stderr so far. */
  said(): Promise<string>;
};

/** Makes a session whose output can be read; whatever asks it for a client fails. */
export function fakeSession({ format = 'table', columns, quiet = false }: FakeOptions = {}): FakeSession {
  const stdout = new MemoryStream(columns === undefined ? {} : { isTTY: true, columns });
  const stderr = new MemoryStream();
  const { signal } = new AbortController();
  const env = { NO_COLOR: '1', TERM: 'xterm' };
  const stdin = () => {
    throw new Error('this session has no standard input');
  };
  const runtime = createRuntime({ stdout, stderr, stdin, env, signal, version: '0.0.0' });
  const settings = resolveSettings({ flags: {}, environment: runtime.environment, profiles: new Map() });
  const display = createDisplay({ format, verbose: false, quiet, noColor: true }, runtime);
  const session: Session = {
    settings,
    isTrial: false,
    display,
    signal,
    client: () => Promise.reject(new Error('this session has no client')),
    record: () => Promise.reject(new Error('this session reads no record')),
    tokenProvider: () => undefined,
    close: async () => {},
  };
  const said = async () => {
    await display.stderr.end();
    return stderr.text;
  };
  return { session, stdout, said };
}
