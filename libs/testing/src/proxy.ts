import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Proxy {
  /** The target's URL, with the address of the proxy in it. */
  readonly url: string;
  /** Connections that were opened so far. */
  readonly opened: number;
  /** Breaks every connection, and every new one at once. */
  cut(): void;
  /** Ends a cut or a black hole: new connections work, and those in a black hole go on. */
  restore(): void;
  /**
   * Swallows whatever is sent on the connections there are, in both directions, and tells neither side. New connections
   * work. So it is when a host dies without a word and another one takes over its address.
   */
  freeze(): void;
  /**
   * Makes the path a black hole: nothing that is sent arrives, on connections of now and later, and neither side learns
   * of it. So it is between a process and a host that a switch or a firewall has separated.
   */
  swallow(): void;
  stop(): Promise<void>;
}

/**
 * Stands between a client and a server, to take the network away and bring it back.
 * @param breaksAt whether a connection breaks before these bytes of the client reach the server
 */
export async function startProxy(target: string, breaksAt: (sent: Buffer) => boolean = () => false): Promise<Proxy> {
  const url = new URL(target);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
  const held = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  let isHole = false;
  let opened = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const hold = (pair: readonly [Socket, Socket]): void => {
    const [client, upstream] = pair;
    client.unpipe(upstream).pause();
    upstream.unpipe(client).pause();
    pairs.delete(pair);
    held.add(pair);
  };
  const letGo = (): void => {
    for (const pair of held) {
      const [client, upstream] = pair;
      pairs.add(pair);
      if (client.destroyed || upstream.destroyed) for (const socket of pair) socket.resetAndDestroy();
      else client.pipe(upstream).pipe(client);
    }
    held.clear();
  };
  const destroyAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer((client) => {
    keep(client);
    if (isCut) return void client.resetAndDestroy();
    opened++;
    const upstream = keep(connect({ host: hostname, port: Number(port), noDelay: true }));
    const pair = [client, upstream] as const;
    pairs.add(pair);
    client.on('data', (sent) => {
      if (breaksAt(sent)) for (const socket of pair) socket.resetAndDestroy();
    });
    if (isHole) hold(pair);
    else client.pipe(upstream).pipe(client);
    const close = (other: Socket) => (): void => {
      // The end of a frozen connection is swallowed too, and that of one in a black hole comes through afterwards.
      if (pairs.delete(pair)) other.destroy();
    };
    client.on('close', close(upstream));
    upstream.on('close', close(client));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
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
      isCut = isHole = false;
      letGo();
    },
    swallow() {
      isHole = true;
      for (const pair of pairs) hold(pair);
    },
    freeze() {
      for (const pair of pairs) {
        const [client, upstream] = pair;
        client.unpipe(upstream).resume();
        upstream.unpipe(client).resume();
        pairs.delete(pair);
      }
    },
    async stop() {
      isCut = true;
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
