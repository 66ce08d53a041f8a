import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a service that can be closed. Connections are then refused, as when the service is not there. */
export interface Gate {
  readonly address: string;
  open(): Promise<void>;
  close(): Promise<void>;
}

export async function openGate(target: string): Promise<Gate> {
  const { hostname, port: targetPort } = new URL(`tcp://${target}`);
  const sockets = new Set<Socket>();
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((caller) => {
    const service = connect(Number(targetPort), hostname);
    hold(caller);
    hold(service);
    caller.pipe(service).pipe(caller);
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    open: () => listen(port),
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
