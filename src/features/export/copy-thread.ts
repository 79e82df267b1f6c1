import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { OutputError, PayctlError } from '../../errors.ts';
import { sqliteCode } from '../../files/kernel-lock.ts';
import { unwritable } from '../../files/output-file.ts';
import { ListCopy } from './copy-list.ts';
import { STATE_FILE } from './manifest.ts';
import { partStorage } from './part-format.ts';
import { CopyState } from './state.ts';
import { type CopyCall, type CopyReply, type Opening, textsOf } from './thread-calls.ts';

// The thread that `threaded-copy.ts` starts: it writes the parts of a copy while the main thread reads the next pages.

const copies = new Map<number, ListCopy>();
const turns = new Map<number, Promise<void>>();
let opening: Opening | undefined;
let state: CopyState | undefined;

parentPort?.on('message', (message: Opening | CopyCall | 'close') => {
  if (message === 'close') {
    state?.close();
    parentPort?.close();
  } else if ('directory' in message) {
    opening = message;
    state = new CopyState(message.directory);
  } else {
    // The calls of a list are carried out one after the other.
    const { list } = message;
    const { call } = message;
    const bytes = 'texts' in call ? call.texts.bytes : undefined;
    const turn = (turns.get(list) ?? Promise.resolve()).then(async () => {
      const reply = { ...(await replyTo(message)), bytes };
      parentPort?.postMessage(reply, bytes ? [bytes.buffer] : []);
    });
    turns.set(list, turn);
  }
});

async function replyTo(call: CopyCall): Promise<CopyReply> {
  try {
    const copy = await carryOut(call);
    return { id: call.id, entry: copy.entry, counts: copy.counts };
  } catch (error) {
    const copy = copies.get(call.list);
    const failure = sqliteCode(error) === undefined ? error : unwritable(OutputError, statePath(), error);
    const { message, stack = '' } = failure as Error;
    const known = failure instanceof PayctlError ? { code: failure.code, hint: failure.hint } : undefined;
    return { id: call.id, entry: copy?.entry, counts: copy?.counts, error: { message, stack, known } };
  }
}

function statePath(): string {
  return join(opening?.directory ?? '', STATE_FILE);
}

/** @throws what the copy of the list throws */
async function carryOut({ list, call }: CopyCall): Promise<ListCopy> {
  if (call.method === 'begin' || call.method === 'restart') return await begin(list, call);
  const copy = copies.get(list);
  if (!copy) throw new TypeError(`The list ${list} was not begun`);
  switch (call.method) {
    case 'add':
      await copy.add({ ...call, texts: textsOf(call.texts) });
      break;
    case 'addChanged':
      await copy.addChanged({ ...call, texts: textsOf(call.texts) });
      break;
    case 'endReading':
      await copy.endReading();
      break;
    case 'finish':
      await copy.finish(call);
      break;
    case 'fail':
      await copy.fail();
      break;
  }
  return copy;
}

async function begin(
  number: number,
  { method, pass }: Extract<CopyCall['call'], { readonly method: 'begin' | 'restart' }>,
): Promise<ListCopy> {
  const list = state?.lists()[number];
  if (!opening || !list) throw new TypeError(`There is no list ${number}`);
  if (method === 'restart') list.restart();
  const storage = await partStorage(opening.settings, list.entry);
  const copy = new ListCopy({ state: list, directory: opening.directory, pass, ...storage });
  copies.set(number, copy);
  await copy.prepare();
  return copy;
}
