import type { Server, ServerCredentials } from '@grpc/grpc-js';
import { inProcessName, InProcessListener } from './in-process.ts';

/** How long running calls may take when the server stops. */
const DRAIN_LIMIT_MS = 10_000;
const LOOPBACK = '127.0.0.1';

export interface Endpoint {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
}

/** @returns the port that the server listens at */
export const listen = (server: Server, { host, port }: Endpoint, credentials: ServerCredentials): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });

/** Takes no more calls, and ends when those under way have, or have had their time. */
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

/** Where a server listens: at a socket, inside its process, or both. */
export interface Listeners {
  /** Known once started. That of the socket where there is one. */
  readonly address: string;
  /** Of its sockets. */
  readonly host: string;
  start(credentials: ServerCredentials): Promise<void>;
  drain(): Promise<void>;
}

/**
 * @param endpoint its host may be `in-process:<name>`, or have that besides, after a comma
 * @throws Error for more than one socket, or more than one name
 */
export function createListeners(server: Server, { host, port }: Endpoint): Listeners {
  const addresses = host.split(',').map((address) => address.trim());
  const names = addresses.flatMap((address) => inProcessName(address) ?? []);
  const [socketHost, ...furtherHosts] = addresses.filter((address) => inProcessName(address) === undefined);
  if (names.length > 1 || furtherHosts.length > 0)
    throw new Error(`a gRPC server listens at one host and under one name of its process, and not at ${host}`);
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
