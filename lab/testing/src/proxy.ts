import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { ProxyPath, type Slowness } from './proxy-path.ts';

export type { Slowness } from './proxy-path.ts';

export interface Proxy {
  /** The target's URL, with the address of the proxy in it. */
  readonly url: string;
  /** Connections that were opened so far. */
  readonly opened: number;
  /** Breaks every connection, and every new one at once. */
  cut(): void;
  /** Ends a cut, a black hole or a slow link: new connections work, and those in a black hole go on. */
  restore(): void;
  /**
   * Swallows whatever is sent on the connections there are, in both directions, and tells neither side. New connections
   * work. So it is when a host dies without a word and another one takes over its address.
   */
  freeze(): void;
  /**
   * Makes the path a black hole: nothing that is sent arrives, on connections of now and later, and neither side learns
   * of it. So it is between a process and a host that a switch or a firewall has separated.
   * @param direction the only one in which nothing arrives. Default: both
   */
  swallow(direction?: Direction): void;
  /** Makes the path long and narrow in both directions, for connections of now and later. */
  slow(slowness: Slowness): void;
  stop(): Promise<void>;
}

/** Seen from the client that has opened the connection. */
export type Direction = 'requests' | 'answers';

export interface ProxyOptions {
  /** Whether a connection breaks before these bytes of the client reach the server. */
  readonly breaksAt?: (sent: Buffer) => boolean;
  /** Reads what the server sends. */
  readonly onAnswer?: (received: Buffer) => void;
  /** Where the proxy listens. Default: 127.0.0.1, at a port that is free. */
  readonly host?: string;
  readonly port?: number;
}

interface Connection {
  readonly client: Socket;
  readonly upstream: Socket;
  readonly requests: ProxyPath;
  readonly answers: ProxyPath;
  /** Neither end learns of the other's any more. */
  isFrozen: boolean;
}

/** Stands between a client and a server, to take the network away and bring it back. */
export async function startProxy(target: string, options: ProxyOptions = {}): Promise<Proxy> {
  const { breaksAt = () => false, onAnswer, host = '127.0.0.1' } = options;
  const url = new URL(target);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  const connections = new Set<Connection>();
  const holes = new Set<Direction>();
  let slowness: Slowness | undefined;
  let isCut = false;
  let opened = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const apply = ({ requests, answers }: Connection): void => {
    for (const [direction, path] of [
      ['requests', requests],
      ['answers', answers],
    ] as const)
      path.change({ isHeld: holes.has(direction), slowness });
  };
  /** The end of a connection in a black hole comes through when the hole ends. */
  const passOnEnd = (connection: Connection, ended: Socket, other: Socket): void => {
    if (connection.isFrozen) return;
    if (holes.size > 0 && !other.destroyed) return;
    connections.delete(connection);
    // One that was closed in order ends the other when all of it has arrived.
    if (!ended.readableEnded) other.destroy();
  };
  const destroyAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer({ noDelay: true }, (client) => {
    keep(client);
    if (isCut) return void client.resetAndDestroy();
    opened++;
    const upstream = keep(connect({ host: hostname, port: Number(port), noDelay: true }));
    const requests = new ProxyPath(client, upstream, (sent) => {
      if (breaksAt(sent)) for (const socket of [client, upstream]) socket.resetAndDestroy();
    });
    const answers = new ProxyPath(upstream, client, onAnswer);
    const connection: Connection = { client, upstream, requests, answers, isFrozen: false };
    connections.add(connection);
    apply(connection);
    client.on('close', () => passOnEnd(connection, client, upstream));
    upstream.on('close', () => passOnEnd(connection, upstream, client));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  url.hostname = host;
  url.port = String((server.address() as AddressInfo).port);
  const applyAll = (): void => {
    for (const connection of connections) apply(connection);
  };
  return {
    url: url.toString(),
    get opened() {
      return opened;
    },
    cut() {
      isCut = true;
      destroyAll();
    },
    restore() {
      isCut = false;
      slowness = undefined;
      holes.clear();
      for (const { client, upstream } of connections)
        if (client.destroyed || upstream.destroyed) for (const socket of [client, upstream]) socket.resetAndDestroy();
      applyAll();
    },
    swallow(direction) {
      for (const each of direction === undefined ? (['requests', 'answers'] as const) : [direction]) holes.add(each);
      applyAll();
    },
    slow(wanted) {
      slowness = wanted;
      applyAll();
    },
    freeze() {
      for (const connection of connections) {
        connection.isFrozen = true;
        connection.requests.forget();
        connection.answers.forget();
        connections.delete(connection);
      }
    },
    async stop() {
      isCut = true;
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
