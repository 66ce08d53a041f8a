import type { Server, ServerCredentials } from '@grpc/grpc-js';

/** How long running calls may take when the server stops. */
const DRAIN_LIMIT_MS = 10_000;

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
export const drain = (server: Server): Promise<void> =>
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
