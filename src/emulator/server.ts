import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MERCHANT_HEADER } from '../contract/generated/operations.ts';
import { PayctlError, UsageError } from '../errors.ts';
import { quote } from '../text/format.ts';
import { isSeedDay, SEED_DAYS } from './clock.ts';
import type { Faults } from './faults/inject.ts';
import type { FaultPlan } from './faults/plan.ts';
import { createAuthenticate } from './http/access.ts';
import type { Service } from './http/handle-request.ts';
import { createNonce } from './instance.ts';
import { type DescriptionChange, keepDescription } from './keep-description.ts';
import {
  createRequestListener,
  type RequestLine,
  rejectBrokenRequest,
  rejectTunnel,
} from './request-listener.ts';
import type { EmulatorDatabase } from './store/database.ts';
import { readMeta } from './store/meta.ts';
import { prepareDatabase, type SeedOptions } from './store/prepare.ts';
import type { TrafficPlan } from './traffic/plan.ts';
import type { Deliveries, DeliveryOptions } from './webhooks/deliver.ts';

/** How to start an emulator. The `signal` ends the start, however long the data takes to make; afterwards it has no effect. */
export type EmulatorOptions = SeedOptions & {
  /** Holds the database and the signing key; made when missing. */
  readonly directory: string;
  /** 0 to 65535; 0, the default, takes any free port. */
  readonly port?: number | undefined;
  /** Header that names the merchant account, in lower case. The default name is always understood, too. */
  readonly merchantHeader?: string | undefined;
  /** The faults to inject; each start begins the plan from its first request. */
  readonly faults?: FaultPlan | undefined;
  /** At least this many records for lists of the description, by the names of the lists. They are made before requests are taken. */
  readonly records?: Readonly<Record<string, number>> | undefined;
  /** Failing requests to add to the API logs, and changes of records, while it runs; none by default. */
  readonly traffic?: TrafficPlan | undefined;
  /**
   * Gives the folder of the imported description whose operations are answered, too; undefined where there is none. It is asked
   * when a request is not for an operation of the contract, at most once a second: another folder is served from then on.
   */
  readonly description?: (() => Promise<string | undefined>) | undefined;
  /** Called when the emulator serves a description for the first time, serves another one, or cannot serve a new one. */
  readonly onDescription?: ((change: DescriptionChange) => void) | undefined;
  /** Delivers the events of changes. Without it, they are kept until an emulator delivers them. */
  readonly deliveries?: DeliveryOptions | undefined;
  /** Called when somebody who knows the nonce asks the emulator to stop. Without it, such requests are refused. */
  readonly onStop?: (() => void) | undefined;
  /** Called after every request of the contract. */
  readonly onRequest?: ((line: RequestLine) => void) | undefined;
};

/** A running emulator. */
export type Emulator = {
  /** Without a slash at its end, such as `http://127.0.0.1:4010`. */
  readonly baseUrl: string;
  readonly port: number;
  /** Secret of this run, by which `findRunning` recognises it. */
  readonly nonce: string;
  /** The header that names the merchant account, in lower case, in addition to the default one. */
  readonly merchantHeader: string;
  readonly database: EmulatorDatabase;
  /** Ends every connection and closes the database. */
  close(): Promise<void>;
};

const host = '127.0.0.1';

/**
 * Starts a local copy of the service on the loopback interface, over the data of a directory, which is made on the first
 * start. Resolves when requests are taken.
 * @throws UsageError `invalid_option`, `invalid_traffic`, and those of `fillLists`; PayctlError `port_in_use`, `port_forbidden` and those of `prepareDatabase`; AbortedError
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  requireInteger('port', options.port, 65_535);
  requireInteger('seed', options.seed, 2 ** 32 - 1);
  requireInteger('buyers', options.buyers, 10_000_000);
  requireDay('until', options.until);
  requireDay('PAYCTL_EMULATOR_UNTIL', options.untilIfNew);
  const database = await prepareDatabase(options.directory, options);
  try {
    const nonce = createNonce();
    const { merchantHeader = MERCHANT_HEADER } = options;
    let deliveries: Deliveries | undefined;
    const onChange = () => deliveries?.wake();
    const service = createService(database, { ...options, merchantHeader, onChange });
    const { faults, records, signal, traffic } = options;
    // Each of these is loaded only where it is asked for.
    const plannedFaults = faults && (await import('./faults/inject.ts')).createFaults(faults);
    if (records) {
      const { fillLists } = await import('./imported/fill.ts');
      await fillLists(await service.imported?.(), records, signal);
    }
    const startTraffic =
      traffic && (await (await import('./traffic/run.ts')).prepareTraffic(service, traffic));
    const plannedTraffic = traffic && (await import('./traffic/plan.ts')).trafficText(traffic);
    const startDeliveries =
      options.deliveries &&
      (await import('./webhooks/deliver.ts')).prepareDeliveries(database, options.deliveries);
    const server = createServer(service, nonce, { ...options, plannedFaults, plannedTraffic });
    const port = await listen(server, options.port ?? 0);
    const baseUrl = `http://${host}:${port}`;
    const stopTraffic = startTraffic?.(baseUrl) ?? (() => {});
    deliveries = startDeliveries?.(port);
    const close = async () => {
      stopTraffic();
      await deliveries?.close();
      await closeAll(server, database);
    };
    return { baseUrl, port, nonce, merchantHeader, database, close };
  } catch (error) {
    database.close();
    throw error;
  }
}

function requireInteger(name: string, value: number | undefined, maximum: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= maximum)) return;
  throw new UsageError('invalid_option', `${name} must be an integer from 0 to ${maximum}, not ${value}`, {
    hint: `Use a number in that range.`,
  });
}

function requireDay(name: string, value: string | undefined): void {
  if (value === undefined || isSeedDay(value)) return;
  throw new UsageError('invalid_option', `${name} must be a date, not ${quote(value)}`, { hint: SEED_DAYS });
}

function createService(
  database: EmulatorDatabase,
  options: EmulatorOptions & Pick<Service, 'merchantHeader' | 'onChange'>,
): Service {
  const { now = () => new Date() } = options;
  return {
    database,
    cursorSecret: Buffer.from(readMeta(database, 'cursor_secret') ?? '', 'base64url'),
    authenticate: createAuthenticate(database),
    merchantHeader: options.merchantHeader,
    now,
    startedAt: now(),
    onChange: options.onChange,
    imported: options.description && keepDescription(database, options.description, { ...options, now }),
  };
}

type ServerOptions = EmulatorOptions & {
  readonly plannedFaults: Faults | undefined;
  readonly plannedTraffic: string | undefined;
};

function createServer(service: Service, nonce: string, options: ServerOptions): Server {
  const server = process.getBuiltinModule('node:http').createServer({
    // The contract does not require a Host header; by default, Node rejects a request without one with an empty response.
    requireHostHeader: false,
    // Clients end idle connections, the emulator never: it would reset a request that is already on its way.
    keepAliveTimeout: 0,
  });
  const baseUrl = () => `http://${host}:${portOf(server)}`;
  const { onRequest, onStop, plannedFaults: faults, plannedTraffic: traffic } = options;
  const listener = createRequestListener(service, { nonce, baseUrl, onRequest, onStop, faults, traffic });
  server.on('request', listener);
  server.on('checkExpectation', listener);
  server.on('connect', rejectTunnel);
  server.on('clientError', rejectBrokenRequest);
  return server;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // The listener stays: without it, an error of the listening socket later on would end the process.
    server.on('error', (error) => reject(listenError(error, port)));
    server.listen(port, host, () => resolve(portOf(server)));
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function listenError(error: NodeJS.ErrnoException, port: number): Error {
  const options = { hint: 'Choose another port with --port; 0 selects any free port.', cause: error };
  if (error.code === 'EADDRINUSE') {
    return new PayctlError('port_in_use', `Port ${port} on ${host} is in use`, options);
  }
  if (error.code === 'EACCES') {
    return new PayctlError('port_forbidden', `Port ${port} on ${host} requires elevated privileges`, options);
  }
  return error;
}

function closeAll(server: Server, database: EmulatorDatabase): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      database.close();
      resolve();
    });
    server.closeAllConnections();
  });
}
