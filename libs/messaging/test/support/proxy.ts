import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Proxy {
  /** The target's URL, with the address of the proxy in it. */
  readonly url: string;
  /** Connections that were opened so far. */
  readonly opened: number;
  /** Breaks every connection, and every new one at once. */
  cut(): void;
  restore(): void;
  stop(): Promise<void>;
}

/** Stands between a client and a server, to take the network away and bring it back. */
export async function startProxy(target: string): Promise<Proxy> {
  const url = new URL(target);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let isCut = false;
  let opened = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const destroyAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer((client) => {
    keep(client);
    if (isCut) return void client.resetAndDestroy();
    opened++;
    const upstream = keep(connect({ host: hostname, port: Number(port), noDelay: true }));
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
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
      isCut = false;
    },
    async stop() {
      isCut = true;
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
