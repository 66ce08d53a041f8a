import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, type SecurityLog } from '@saleschannel/edge';

export interface ConnectionsOptions {
  /** Connections that one address may have. */
  readonly perAddress: number;
  /** How many of them may not have shown credentials yet. */
  readonly strangersPerAddress: number;
  /** Behind a named proxy are many addresses, which the proxy limits. */
  readonly isProxy: (address: string) => boolean;
  readonly securityLog: SecurityLog;
}

interface OfAddress {
  count: number;
  /** Connections without credentials so far, the oldest first. */
  readonly strangers: Set<Socket>;
}

/**
 * The open connections by address. Those that never showed good credentials make room for new ones, so that somebody
 * who only holds connections open keeps nobody out.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #byAddress = new Map<string, OfAddress>();
  /** The strangers of its address, for every connection that was one. */
  readonly #strangersBeside = new WeakMap<Socket, Set<Socket>>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Counts a new connection, and closes another one or this one where there are too many. */
  open(socket: Socket): void {
    const { perAddress, strangersPerAddress, isProxy } = this.#options;
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const address = networkOf(remoteAddress);
    const known = this.#byAddress.get(address) ?? { count: 0, strangers: new Set<Socket>() };
    if (known.count >= perAddress || known.strangers.size >= strangersPerAddress) {
      const [oldest = socket] = known.strangers;
      this.#refuse(oldest, address);
      if (oldest === socket) return;
      known.strangers.delete(oldest);
    }
    this.#byAddress.set(address, known);
    known.count += 1;
    known.strangers.add(socket);
    this.#strangersBeside.set(socket, known.strangers);
    socket.once('close', () => {
      known.strangers.delete(socket);
      known.count -= 1;
      if (known.count === 0) this.#byAddress.delete(address);
    });
  }

  /** Good credentials came over this connection. Called for every request. */
  recognise(socket: Socket): void {
    this.#strangersBeside.get(socket)?.delete(socket);
  }

  #refuse(socket: Socket, address: string): void {
    this.#options.securityLog.record({ event: 'excess_connections', reason: 'per-address', address });
    socket.destroy();
  }
}

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

/** Bytes are counted over this time. */
const PERIOD_MS = 60_000;

export interface SlowReadersOptions {
  /** A client that has not taken all of its answer must have taken this much of it in a minute. */
  readonly bytesPerMinute: number;
  /** Milliseconds that never go backwards. */
  readonly now: () => number;
}

/** When a client was looked at, and what it had taken by then. */
interface Mark {
  readonly atMs: number;
  readonly taken: number;
}

/**
 * Ends connections whose clients take an answer so slowly that it would never end. A client that takes nothing is found
 * by its silence. One that takes a byte now and then is not.
 */
export class SlowReaders {
  readonly #options: SlowReadersOptions;
  readonly #marks = new Map<Socket, Mark | undefined>();

  constructor(options: SlowReadersOptions) {
    this.#options = options;
  }

  watch(socket: Socket): void {
    this.#marks.set(socket, undefined);
    socket.once('close', () => this.#marks.delete(socket));
  }

  /** To be called every few seconds. */
  look(): void {
    const atMs = this.#options.now();
    for (const [socket, mark] of this.#marks) {
      // Nothing waits for the client: it may be the service that takes its time.
      const isUpToDate = socket.writableLength === 0;
      const taken = socket.bytesWritten - socket.writableLength;
      if (!isUpToDate && mark !== undefined && atMs - mark.atMs < PERIOD_MS) continue;
      if (!isUpToDate && mark !== undefined && taken - mark.taken < this.#options.bytesPerMinute) socket.destroy();
      else this.#marks.set(socket, isUpToDate ? undefined : { atMs, taken });
    }
  }
}
