/** Ends a unit test that starts a server: it belongs into a file named `*.server.test.ts`, so that unit tests take seconds. */
import { Server } from 'node:net';

Server.prototype.listen = () => {
  throw new Error('A test that starts a server is in a file named *.server.test.ts');
};
