import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const HOST = '127.0.0.1';

/** Stable address of the current primary, as an operator or a provider offers. */
export interface Relay {
  readonly port: number;
  /** Sends new connections to the port and breaks existing ones. */
  redirect(port: number): void;
  stop(): Promise<void>;
}

export async function startRelay(port: number): Promise<Relay> {
  let target = port;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket.on('error', () => socket.destroy());
  };
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = keep(connect({ host: HOST, port: target, noDelay: true }));
    keep(client).once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    redirect(next) {
      target = next;
      breakAll();
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      breakAll();
      await closed;
    },
  };
}
