import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server, ServerInterceptingCallInterface } from '@grpc/grpc-js';
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
