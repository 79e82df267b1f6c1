import { createServer, type Socket } from 'node:net';
import { encodeMessage, type Message, takeMessage } from './message.ts';

/** What a method answers: one value for each type of the signature. */
export type Reply = { readonly signature: string; readonly body: readonly unknown[] };

/** A signal of the service. */
export type Signal = Reply & { readonly path: string; readonly interface: string; readonly member: string };

/** Who called. */
export type Caller = { send(signal: Signal): void };

/** Answers a call of a method. A `BusError` becomes the error reply. */
export type Service = (call: Message, caller: Caller) => Reply;

/** An error as D-Bus names errors: `org.freedesktop.DBus.Error.UnknownMethod`. */
export class BusError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** A running bus. */
export type Bus = { close(): Promise<void> };

const NOTHING: Reply = { signature: '', body: [] };

/**
 * A message bus with one service on it: every call that is not meant for the bus itself goes to `service`, whatever its
 * destination. Clients do not see each other.
 */
export async function startBus(path: string, service: Service): Promise<Bus> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that dies in the middle of a call is no fault of the bus.
    socket.on('error', () => {});
    serveClient(socket, service);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function serveClient(socket: Socket, service: Service): void {
  let arrived: Buffer = Buffer.alloc(0);
  let began = false;
  let serial = 0;
  const send = (message: Omit<Message, 'serial' | 'sender'>) => {
    serial += 1;
    socket.write(encodeMessage({ ...message, serial, sender: ':1.0' }));
  };
  socket.on('data', (chunk: Buffer) => {
    arrived = Buffer.concat([arrived, chunk]);
    while (!began && arrived.includes('\r\n')) {
      const end = arrived.indexOf('\r\n');
      const line = arrived.toString('latin1', 0, end);
      arrived = arrived.subarray(end + 2);
      began = line === 'BEGIN';
      if (!began) socket.write(`${answerHandshake(line)}\r\n`);
    }
    for (let next = began && takeMessage(arrived); next; next = takeMessage(arrived)) {
      arrived = next.rest;
      const { message } = next;
      if (message.kind === 'call') send(answerCall(message, service, send));
    }
  });
}

/** Whoever can open the socket is let in; passing file descriptors is not offered. */
function answerHandshake(line: string): string {
  return line.replace('\0', '').startsWith('AUTH EXTERNAL') ? `OK ${'0'.repeat(32)}` : 'ERROR';
}

function answerCall(
  call: Message,
  service: Service,
  send: (message: Omit<Message, 'serial' | 'sender'>) => void,
): Omit<Message, 'serial' | 'sender'> {
  const caller: Caller = { send: (signal) => send({ kind: 'signal', ...signal }) };
  const replySerial = call.serial;
  try {
    const reply = call.destination === 'org.freedesktop.DBus' ? answerAsBus(call) : service(call, caller);
    return { kind: 'reply', replySerial, ...reply };
  } catch (error) {
    const { name, message } = error instanceof BusError ? error : new BusError(FAILED, String(error));
    return { kind: 'error', replySerial, errorName: name, signature: 's', body: [message] };
  }
}

const FAILED = 'org.freedesktop.DBus.Error.Failed';

function answerAsBus({ member }: Message): Reply {
  if (member === 'Hello') return { signature: 's', body: [':1.1'] };
  if (member === 'AddMatch' || member === 'RemoveMatch') return NOTHING;
  throw new BusError('org.freedesktop.DBus.Error.UnknownMethod', `the bus has no ${member}`);
}
