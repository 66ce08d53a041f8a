import type { ServerResponse, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { toNetwork, type SecurityLog } from '@saleschannel/edge';
import express from 'express';

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const;

interface ProxyOptions {
  readonly behindProxy: boolean;
  readonly trustedProxies: readonly string[];
}

/**
 * Returns a test for addresses of trusted proxies. Without trusted proxies, all clients would share the proxy's
 * address. With too many, clients could choose their address.
 * @throws Error for settings that contradict each other or are not addresses
 */
export function createProxyTest({ behindProxy, trustedProxies }: ProxyOptions): (address: string) => boolean {
  if (behindProxy && trustedProxies.length === 0) {
    throw new Error('BEHIND_PROXY is yes: TRUSTED_PROXIES must name the addresses of the proxy');
  }
  const everyone = trustedProxies.find((name) => name.endsWith('/0'));
  if (everyone !== undefined)
    throw new Error(`TRUSTED_PROXIES must not contain ${everyone}, which includes every client`);
  try {
    const isProxy = express()
      .set('trust proxy', [...trustedProxies])
      .get('trust proxy fn') as (address: string, hops: number) => boolean;
    return (address) => isProxy(address, 0);
  } catch (error) {
    throw new Error(`TRUSTED_PROXIES must be addresses and subnets: ${(error as Error).message}`, { cause: error });
  }
}

/** Records requests with forwarding headers of a peer that is not a trusted proxy. The headers are ignored. */
export function reportUnnamedProxy(
  { headers, socket: { remoteAddress: address } }: IncomingMessage,
  isProxy: (address: string) => boolean,
  securityLog: SecurityLog,
): void {
  const header = forwardingHeaders.find((name) => headers[name] !== undefined);
  if (header === undefined || address === undefined || isProxy(address)) return;
  securityLog.record({ event: 'proxy_unnamed', reason: header, address });
}

export interface ConnectionsOptions {
  readonly perAddress: number;
  /** Maximum number of connections per address without accepted credentials. */
  readonly unauthenticatedPerAddress: number;
  /** Named proxies are exempt: they limit the addresses behind them. */
  readonly isProxy: (address: string) => boolean;
  readonly securityLog: SecurityLog;
}

interface AddressConnections {
  count: number;
  /** Connections without accepted credentials, oldest first. */
  readonly unauthenticated: Set<Socket>;
}

/**
 * Limits open connections by address. Connections without accepted credentials give way to new ones, so that idle
 * connections cannot block other clients.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #byAddress = new Map<string, AddressConnections>();
  /** Connection → unauthenticated connections of its address. */
  readonly #unauthenticatedBySocket = new WeakMap<Socket, Set<Socket>>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Counts a new connection. Above a limit, closes the oldest unauthenticated connection, or else the new one. */
  add(socket: Socket): void {
    const { perAddress, unauthenticatedPerAddress, isProxy } = this.#options;
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const address = toNetwork(remoteAddress);
    const known = this.#byAddress.get(address) ?? { count: 0, unauthenticated: new Set<Socket>() };
    if (known.count >= perAddress || known.unauthenticated.size >= unauthenticatedPerAddress) {
      const [oldest = socket] = known.unauthenticated;
      this.#refuse(oldest, address);
      if (oldest === socket) return;
      known.unauthenticated.delete(oldest);
    }
    this.#byAddress.set(address, known);
    known.count += 1;
    known.unauthenticated.add(socket);
    this.#unauthenticatedBySocket.set(socket, known.unauthenticated);
    socket.once('close', () => {
      known.unauthenticated.delete(socket);
      known.count -= 1;
      if (known.count === 0) this.#byAddress.delete(address);
    });
  }

  /** Records accepted credentials on this connection. Called for every request. */
  markAuthenticated(socket: Socket): void {
    this.#unauthenticatedBySocket.get(socket)?.delete(socket);
  }

  #refuse(socket: Socket, address: string): void {
    this.#options.securityLog.record({ event: 'excess_connections', reason: 'per-address', address });
    socket.destroy();
  }
}

export interface ConnectionAgesOptions {
  /** Maximum age. It varies by a tenth, so that clients do not all reconnect at the same time. */
  readonly ageMs: number;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

const SPREAD = 0.1;

/**
 * Ends old connections, so that clients reach new gateways: load balancers may balance connections, not requests. The
 * last answer has `Connection: close`, so that no request is lost.
 */
export class ConnectionAges {
  readonly #options: ConnectionAgesOptions;
  readonly #endsAt = new WeakMap<Socket, number>();
  readonly #ended = new WeakSet<Socket>();
  #isOver = false;

  constructor(options: ConnectionAgesOptions) {
    this.#options = options;
  }

  watch(socket: Socket): void {
    const { ageMs, now } = this.#options;
    this.#endsAt.set(socket, now() + ageMs * (1 + SPREAD * (2 * Math.random() - 1)));
  }

  /** Makes the next answer of every connection its last one, before the process stops. */
  endAll(): void {
    this.#isOver = true;
  }

  /**
   * Whether to answer a request. Requests pipelined after the last answer are ignored, as clients expect (RFC 9112
   * section 9.6). An old connection with requests in progress ends later.
   */
  shouldAnswer(response: ServerResponse, socket: Socket, isBusy: boolean): boolean {
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

const PERIOD_MS = 60_000;

export interface SlowReadersOptions {
  /** Minimum rate at which a client must read a pending answer. */
  readonly bytesPerMinute: number;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Bytes that a client had read at a time. */
interface Mark {
  readonly atMs: number;
  readonly readBytes: number;
}

/** Ends connections whose clients read an answer too slowly, even byte by byte, which counts as traffic. */
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

  check(): void {
    const atMs = this.#options.now();
    for (const [socket, mark] of this.#marks) {
      // The client has read everything. The service may be working on the rest.
      const isUpToDate = socket.writableLength === 0;
      const readBytes = socket.bytesWritten - socket.writableLength;
      if (!isUpToDate && mark !== undefined && atMs - mark.atMs < PERIOD_MS) continue;
      if (!isUpToDate && mark !== undefined && readBytes - mark.readBytes < this.#options.bytesPerMinute)
        socket.destroy();
      else this.#marks.set(socket, isUpToDate ? undefined : { atMs, readBytes });
    }
  }
}
