import { startDirectory, type Directory } from '@saleschannel/bench/directory';
import type { ServiceName } from '@saleschannel/installation';
import { findFreePort } from '@saleschannel/local-backends';
import { startProxy, type Proxy } from '@saleschannel/testing/proxy';

/** Destination of a link: a server, the replicas of a service, or a gateway as its clients reach it. */
export type LinkSide = 'database' | 'broker' | 'clients' | ServiceName;

/** A connection path of a replica. */
export interface Link {
  /** Name of the replica that opens connections, or `clients`. */
  readonly from: string;
  readonly side: LinkSide;
  /** Name of the replica or server that accepts them. */
  readonly to: string;
  readonly proxy: Proxy;
}

/** A replica that calls others. */
export interface Caller {
  readonly name: string;
  /** Number from 1: third part of the addresses at which it finds others. */
  readonly index: number;
  readonly callees: readonly ServiceName[];
}

/** A service that is scaled out has a third replica. */
const replicasAtMost = [1, 2, 3] as const;

/**
 * Gives every path between two processes its own proxy. Each replica has its own address, as in a cluster, and each
 * caller finds it at another one, that of the proxy between the two.
 */
export class Network {
  readonly links: Link[] = [];
  readonly #directory: Directory;
  readonly #ports: Readonly<Partial<Record<ServiceName, number>>>;
  readonly #callers: Caller[] = [];
  readonly #announced = new Map<ServiceName, Set<number>>();
  /** Random, so that two systems on one machine do not collide. */
  readonly #net = `127.${64 + Math.floor(Math.random() * 64)}.`;
  readonly #half = Math.floor(Math.random() * 4) * 64;

  private constructor(directory: Directory, ports: Readonly<Partial<Record<ServiceName, number>>>) {
    this.#directory = directory;
    this.#ports = ports;
  }

  static async open(ports: Readonly<Partial<Record<ServiceName, number>>>): Promise<Network> {
    return new Network(await startDirectory(), ports);
  }

  /** Address on which a replica itself listens. */
  toHost(number: number): string {
    return this.#address(0, number);
  }

  /** Opens all paths from a caller to the services that it calls. */
  async addCaller(caller: Caller, nameOf: (service: ServiceName, number: number) => string): Promise<void> {
    this.#callers.push(caller);
    for (const callee of caller.callees) {
      const port = this.#findPort(callee);
      for (const number of replicasAtMost) {
        const proxy = await startProxy(`tcp://${this.toHost(number)}:${port}`, {
          host: this.#address(caller.index, number),
          port,
        });
        this.links.push({ from: caller.name, side: callee, to: nameOf(callee, number), proxy });
      }
      for (const number of this.#announced.get(callee) ?? [])
        this.#directory.add(this.#nameFor(caller, callee), this.#address(caller.index, number));
    }
  }

  /** Opens the path from a replica to a server. Returns the server's URL for the replica. */
  async addServer(from: string, side: 'database' | 'broker', url: string): Promise<string> {
    const known = this.links.find((link) => link.from === from && link.side === side);
    const proxy = known?.proxy ?? (await startProxy(url));
    if (!known) this.links.push({ from, side, to: side, proxy });
    const through = new URL(url);
    through.host = new URL(proxy.url).host;
    return through.href;
  }

  /** Opens the path from clients to a gateway, on a permanent port. */
  async addClients(to: string, target: string, onAnswer: (received: Buffer) => void): Promise<string> {
    const proxy = await startProxy(target, { port: await findFreePort(), onAnswer });
    this.links.push({ from: 'clients', side: 'clients', to, proxy });
    return proxy.url.replace(/\/$/, '');
  }

  /** Address by which a caller finds the replicas of a service. */
  findTarget(caller: Caller, callee: ServiceName): string {
    return this.#directory.toTarget(this.#nameFor(caller, callee), this.#findPort(callee));
  }

  /** Makes the replica visible to others. */
  announce(service: ServiceName, number: number): void {
    const known = this.#announced.get(service) ?? new Set();
    this.#announced.set(service, known.add(number));
    this.#change(service, number, (name, address) => this.#directory.add(name, address));
  }

  withdraw(service: ServiceName, number: number): void {
    this.#announced.get(service)?.delete(number);
    this.#change(service, number, (name, address) => this.#directory.remove(name, address));
  }

  /** Paths that a replica opens to a side or, with `callers`, that others open to it. */
  listLinks(replica: string, side: LinkSide | 'callers'): Link[] {
    return this.links.filter((link) =>
      side === 'callers' ? link.to === replica : link.side === side && (link.from === replica || link.to === replica),
    );
  }

  restore(): void {
    for (const { proxy } of this.links) proxy.restore();
  }

  async stop(): Promise<void> {
    this.#directory.close();
    await Promise.all(this.links.map(({ proxy }) => proxy.stop()));
  }

  #change(service: ServiceName, number: number, change: (name: string, address: string) => void): void {
    for (const caller of this.#callers)
      if (caller.callees.includes(service)) change(this.#nameFor(caller, service), this.#address(caller.index, number));
  }

  #nameFor = (caller: Caller, callee: ServiceName): string => `${callee}.${caller.name}`;

  #address(third: number, number: number): string {
    return `${this.#net}${this.#half + third}.${number}`;
  }

  #findPort(service: ServiceName): number {
    const port = this.#ports[service];
    if (port === undefined) throw new Error(`${service} has no port here.`);
    return port;
  }
}
