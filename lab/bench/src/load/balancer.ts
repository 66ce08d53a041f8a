import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const HOST = '127.0.0.1';

/** Balances connections over replicas in rotation, like the load balancer of an installation. */
export interface Balancer {
  readonly port: number;
  /** Adds a replica. */
  add(port: number): void;
  /** Sends no new connections to a replica. Existing ones continue. */
  remove(port: number): void;
  /** Connections given to each port so far. */
  given(): ReadonlyMap<number, number>;
  stop(): Promise<void>;
}

/** @param ports ports of replicas. A connection that one refuses goes to the next */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const targets = [...ports];
  const given = new Map<number, number>();
  const sockets = new Set<Socket>();
  let turn = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const join = (client: Socket, left: number): void => {
    const port = targets[turn++ % targets.length];
    if (port === undefined || left === 0) return void client.destroy();
    const target = connect({ host: HOST, port, noDelay: true });
    const refused = (): void => join(client, left - 1);
    target.once('error', refused);
    target.once('connect', () => {
      target.off('error', refused);
      given.set(port, (given.get(port) ?? 0) + 1);
      keep(target).on('error', () => client.destroy());
      target.once('close', () => client.destroy());
      client.once('close', () => target.destroy());
      if (client.destroyed) return void target.destroy();
      client.pipe(target).pipe(client);
    });
  };
  const server = createServer({ noDelay: true }, (client) => {
    keep(client).on('error', () => client.destroy());
    join(client, targets.length);
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    add: (port) => void targets.push(port),
    remove: (port) => void targets.splice(targets.indexOf(port), 1),
    given: () => given,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
