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
