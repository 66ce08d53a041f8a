import type { Server, ServerCredentials } from '@grpc/grpc-js';
import { parseInProcessName, InProcessListener } from './in-process.ts';

/** Time for running calls when the server stops. */
const DRAIN_LIMIT_MS = 10_000;
const LOOPBACK = '127.0.0.1';

export interface Endpoint {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
}

/** @returns the port that the server listens at */
export const listen = (server: Server, { host, port }: Endpoint, credentials: ServerCredentials): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });

/** Stops accepting calls. Resolves when running calls have ended, or after the time limit, which ends them. */
const drain = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const forced = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, DRAIN_LIMIT_MS);
    server.tryShutdown(() => {
      clearTimeout(forced);
      resolve();
    });
  });

/** Addresses of a server: a socket, an in-process name, or both. */
export interface Listeners {
  /** Address of the socket if there is one, else the in-process name. Known once started. */
  readonly address: string;
  /** Host of the sockets. */
  readonly host: string;
  start(credentials: ServerCredentials): Promise<void>;
  drain(): Promise<void>;
}

/**
 * @param endpoint its host may be a host, `in-process:<name>`, or both separated by a comma
 * @throws Error for more than one socket, or more than one name
 */
export function createListeners(server: Server, { host, port }: Endpoint): Listeners {
  const addresses = host.split(',').map((address) => address.trim());
  const names = addresses.flatMap((address) => parseInProcessName(address) ?? []);
  const [socketHost, ...furtherHosts] = addresses.filter((address) => parseInProcessName(address) === undefined);
  if (names.length > 1 || furtherHosts.length > 0)
    throw new Error(`A gRPC server listens at one host and under one in-process name, but GRPC_HOST is ${host}.`);
  const inside = names.map((name) => new InProcessListener(name, server));
  let boundPort = port;
  return {
    host: socketHost ?? LOOPBACK,
    get address() {
      return socketHost === undefined ? host : `${socketHost}:${boundPort}`;
    },
    async start(credentials) {
      if (socketHost !== undefined) boundPort = await listen(server, { host: socketHost, port }, credentials);
      for (const listener of inside) listener.start();
    },
    async drain() {
      await Promise.all([drain(server), ...inside.map((listener) => listener.drain(DRAIN_LIMIT_MS))]);
    },
  };
}
