import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The way to a server, which tests can close. */
export interface Door {
  readonly url: string;
  setOpen(isOpen: boolean): void;
  stop(): Promise<void>;
}

export async function startDoor(url: string): Promise<Door> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((socket) => {
    if (!isOpen) return void socket.destroy();
    const onward = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const door = new URL(url);
  door.hostname = '127.0.0.1';
  door.port = String((server.address() as AddressInfo).port);
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: door.toString(),
    setOpen(value) {
      isOpen = value;
      if (!isOpen) closeAll();
    },
    async stop() {
      closeAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
