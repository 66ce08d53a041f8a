import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionAgesOptions {
  /** Give or take a tenth, so that not all clients come again at once. */
  readonly ageMs: number;
  /** Milliseconds that never go backwards. */
  readonly now: () => number;
}

const SPREAD = 0.1;

/**
 * Ends connections that are old. A client that keeps one open for ever would never reach a gateway that is new: what
 * balances in front of gateways may do so by connection alone. The answer says `Connection: close`, so no request is
 * lost in between.
 */
export class ConnectionAges {
  readonly #options: ConnectionAgesOptions;
  readonly #endsAt = new WeakMap<Socket, number>();
  readonly #ended = new WeakSet<Socket>();
  #isOver = false;

  constructor(options: ConnectionAgesOptions) {
    this.#options = options;
  }

  open(socket: Socket): void {
    const { ageMs, now } = this.#options;
    this.#endsAt.set(socket, now() + ageMs * (1 + SPREAD * (2 * Math.random() - 1)));
  }

  /** The process is about to stop: the next answer of each connection is its last one, however old it is. */
  endAll(): void {
    this.#isOver = true;
  }

  /**
   * Whether a request is to be answered. One that was sent behind the last one of a connection is not: it must not be
   * carried out, and its client knows that (RFC 9112 §9.6). An old connection with requests under way ends later.
   */
  mayAnswer(response: ServerResponse, socket: Socket, isBusy: boolean): boolean {
    if (this.#ended.has(socket)) return false;
    if (isBusy || !this.#isDue(socket)) return true;
    this.#ended.add(socket);
    response.shouldKeepAlive = false;
    return true;
  }

  #isDue(socket: Socket): boolean {
    return this.#isOver || this.#options.now() >= (this.#endsAt.get(socket) ?? Infinity);
  }
}
