import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a service that can be closed. Connections then break at once, as when the service is not there. */
export interface Gate {
  readonly address: string;
  setOpen(isOpen: boolean): void;
  stop(): Promise<void>;
}

/** It keeps its port while it is closed: nobody else can take it. */
export async function startGate(target: string): Promise<Gate> {
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
