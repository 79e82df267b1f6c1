import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium of this machine: what `PAYCTL_TEST_CHROMIUM` names, else the first on the PATH; undefined where there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.PAYCTL_TEST_CHROMIUM ?? '', ...paths].find((path) => path !== '' && isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
};

/** A tab of a browser, and what it does. */
export type Tab = {
  /** Sends a command of the DevTools protocol. @throws Error with the browser's message */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Opens an address, and waits until it is loaded. */
  open(url: string): Promise<void>;
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** The addresses of everything that was requested so far. */
  readonly requests: readonly string[];
  /** What the page or the browser complained of: errors, violations of the policy. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
};

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-pipe',
];

/** Starts a browser with an empty profile and one tab; speaks with it through pipes, so that no port is open. */
export async function openTab(chromium: string): Promise<Tab> {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-chromium-'));
  const child = spawn(chromium, [...FLAGS, `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const input = child.stdio[3] as Writable;
  input.on('error', () => {});
  const browser = connect(input, child.stdio[4] as Readable, ended);
  const requests: string[] = [];
  const complaints: string[] = [];
  browser.on('Network.requestWillBeSent', ({ request }) => requests.push((request as { url: string }).url));
  browser.on('Log.entryAdded', ({ entry }) => complaints.push((entry as { text: string }).text));
  browser.on('Runtime.exceptionThrown', (params) => complaints.push(JSON.stringify(params)));
  const { targetInfos } = await browser.send('Target.getTargets');
  const page = (targetInfos as { type: string; targetId: string }[]).find(({ type }) => type === 'page');
  const { sessionId } = await browser.send('Target.attachToTarget', {
    targetId: page?.targetId,
    flatten: true,
  });
  const send: Tab['send'] = (method, params) => browser.send(method, params, sessionId as string);
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await send(`${domain}.enable`);
  return {
    send,
    requests,
    complaints,
    async open(url) {
      const loaded = browser.next('Page.loadEventFired');
      await send('Page.navigate', { url });
      await loaded;
    },
    async evaluate(expression) {
      const { result } = await send('Runtime.evaluate', {
        expression,
        returnByValue: true,
        awaitPromise: true,
      });
      return (result as { value?: unknown }).value;
    },
    async close() {
      await browser.send('Browser.close').catch(() => child.kill('SIGKILL'));
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Waiting = PromiseWithResolvers<Record<string, unknown>>;
type Listener = (params: Readonly<Record<string, unknown>>) => void;

/** Speaks the DevTools protocol through pipes: JSON documents that end with a null character. */
function connect(input: Writable, output: Readable, ended: Promise<void>) {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Listener[]>();
  let count = 0;
  let rest = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) receive(JSON.parse(message) as Message);
  });
  void ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error('the browser has ended'));
  });
  function receive({ id, method, params = {}, result = {}, error }: Message): void {
    if (id === undefined) {
      for (const listener of listeners.get(method ?? '') ?? []) listener(params);
      return;
    }
    const answer = waiting.get(id);
    waiting.delete(id);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  }
  const on = (method: string, listener: Listener): void => {
    listeners.set(method, [...(listeners.get(method) ?? []), listener]);
  };
  return {
    on,
    next: (method: string) => new Promise<void>((resolve) => on(method, () => resolve())),
    send(method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> {
      count += 1;
      const answer = Promise.withResolvers<Record<string, unknown>>();
      waiting.set(count, answer);
      input.write(`${JSON.stringify({ id: count, method, params, sessionId })}\0`);
      return answer.promise;
    },
  };
}
