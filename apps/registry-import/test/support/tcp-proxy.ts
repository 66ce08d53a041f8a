import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy to a service. Closed, it breaks all connections, as if the service were down. */
export interface TcpProxy {
  readonly address: string;
  setOpen(isOpen: boolean): void;
  stop(): Promise<void>;
}

/** Starts a proxy, which keeps its port while closed. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(`tcp://${target}`);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((caller) => {
    if (!isOpen) return void caller.destroy();
    const service = connect(Number(port), hostname);
    hold(caller);
    hold(service);
    caller.pipe(service).pipe(caller);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    setOpen(value) {
      isOpen = value;
      if (!isOpen) closeAll();
    },
    async stop() {
      server.close();
      closeAll();
      await once(server, 'close');
    },
  };
}
