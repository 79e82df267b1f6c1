import { connect } from 'node:net';

/** Sends bytes to a port of 127.0.0.1 and gives all that comes back until the other side ends the connection. */
export function rawRequest(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** The request head for one request on a connection of its own. */
export function requestHead(line: string, headers: Readonly<Record<string, string>> = {}): string {
  const fields = Object.entries({ host: 'localhost', connection: 'close', ...headers });
  return `${line} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
