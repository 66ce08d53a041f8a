import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server, ServerCredentials, ServerInterceptingCallInterface } from '@grpc/grpc-js';
import type { Exchange, ServedMethod } from './in-process-exchange.ts';

/** Scheme of an in-process address, `in-process:<name>`, which needs no socket. */
const SCHEME = 'in-process:';

/** Returns the name in an in-process address, or undefined for another address. */
export const parseInProcessName = (address: string): string | undefined =>
  address.startsWith(SCHEME) ? address.slice(SCHEME.length) : undefined;

/**
 * Private members of grpc-js's server that serve a call without a socket. The tests of both transports fail if a
 * release of grpc-js renames them.
 */
interface Internals {
  readonly handlers: ReadonlyMap<string, ServedMethod>;
  _runHandlerForCall(call: ServerInterceptingCallInterface, method: ServedMethod): boolean;
}

const listening = new Map<string, InProcessListener>();
const waiting = new Map<string, Set<() => void>>();

/** Returns the current server with a name. */
export const findListener = (name: string): InProcessListener | undefined => listening.get(name);

/** Runs `ready` when a server starts to listen under the name. Returns a function that stops waiting. */
export function awaitListener(name: string, ready: () => void): () => void {
  const all = waiting.get(name) ?? new Set();
  waiting.set(name, all.add(ready));
  return () => {
    all.delete(ready);
    if (all.size === 0 && waiting.get(name) === all) waiting.delete(name);
  };
}

/** Serves the methods of a server to clients of the same process. */
export class InProcessListener {
  readonly #name: string;
  readonly #server: Internals;
  /**
   * Runs work in the async context of the server. As over a socket, handlers learn of a call only by its metadata, and
   * do not inherit the caller's span, limits or service.
   */
  readonly runInContext = AsyncLocalStorage.snapshot();
  readonly #exchanges = new Set<Exchange>();
  #emptied: (() => void) | undefined;

  constructor(name: string, server: Server) {
    this.#name = name;
    this.#server = server as unknown as Internals;
  }

  /** @throws Error if another server of this process has the name */
  start(): void {
    if (listening.has(this.#name)) throw new Error(`Another server of this process listens at ${SCHEME}${this.#name}`);
    listening.set(this.#name, this);
    const ready = waiting.get(this.#name);
    waiting.delete(this.#name);
    ready?.forEach((run) => run());
  }

  findMethod(path: string): ServedMethod | undefined {
    return this.#server.handlers.get(path);
  }

  /** Serves an exchange in the next tick, in the server's context. A drain waits for its end. */
  serve(exchange: Exchange, method: ServedMethod): void {
    this.#exchanges.add(exchange);
    process.nextTick(this.runInContext, () => {
      if (this.#exchanges.has(exchange)) this.#server._runHandlerForCall(exchange, method);
    });
  }

  /** Removes a finished exchange. */
  release(exchange: Exchange): void {
    this.#exchanges.delete(exchange);
    if (this.#exchanges.size === 0) this.#emptied?.();
  }

  /** Stops accepting calls. Resolves when running calls have ended, or after `limitMs`, which ends them. */
  async drain(limitMs: number): Promise<void> {
    if (listening.get(this.#name) === this) listening.delete(this.#name);
    if (this.#exchanges.size === 0) return;
    await new Promise<void>((resolve) => {
      const forced = setTimeout(() => {
        for (const exchange of this.#exchanges) exchange.abandon();
        resolve();
      }, limitMs);
      this.#emptied = () => {
        clearTimeout(forced);
        resolve();
      };
    });
  }
}

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
