import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { query, sql, type Database, type Sql } from '@saleschannel/database';
import type { GrpcServer } from '@saleschannel/grpc';
import {
  createServiceDatabase,
  openTestDatabase,
  toRuntimeUrl,
  startNeighbours,
  startTestService,
  identityVariables,
  type TestDatabase,
} from '@saleschannel/testing';
import { service } from '../../src/app.ts';
import { FakeLedger } from './ledger.ts';
import { connectTo, type Registry } from './registry-import.ts';

/** A TCP proxy to a service. Closed, it breaks all connections, as if the service were down. */
interface TcpProxy {
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

const main = new URL('../../src/main.ts', import.meta.url).pathname;

/** The service in its own process, which can be killed. */
interface Replica {
  readonly address: string;
  /** kill -9 */
  kill(): Promise<void>;
}

async function startReplica(variables: Record<string, string>): Promise<Replica> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { PATH, NODE_COMPILE_CACHE, ...identityVariables('registry-import'), ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { address } = JSON.parse(line) as { address?: string };
    if (!address) continue;
    child.stdout.resume();
    return {
      address,
      async kill() {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const exit = once(child, 'exit');
        child.kill('SIGKILL');
        await exit;
      },
    };
  }
  throw new Error('The replica did not start.');
}

interface Parts {
  readonly ledger: FakeLedger;
  readonly inventory: GrpcServer;
  readonly database: TestDatabase;
  readonly inspector: Database;
}

/** Ledger, database and replicas of one test. */
export class Fixture {
  readonly ledger: FakeLedger;
  readonly inventory: GrpcServer;
  readonly #inspector: Database;
  readonly #database: TestDatabase;
  readonly #ends: (() => Promise<void> | void)[] = [];
  /** Settings of replicas that start later. */
  variables: Record<string, string>;

  private constructor(traders: GrpcServer, { ledger, inventory, database, inspector }: Parts) {
    this.ledger = ledger;
    this.inventory = inventory;
    this.#inspector = inspector;
    this.#database = database;
    this.variables = {
      DATABASE_URL: toRuntimeUrl(database.url),
      INVENTORY_ADDRESS: inventory.address,
      TRADERS_ADDRESS: traders.address,
      RBAC_ADDRESS: traders.address,
      // Leases outlast the test, even on a slow machine.
      IMPORT_LEASE_MS: '600000',
      IMPORT_POLL_MS: '50',
    };
  }

  /** @param traders also serves rbac */
  static async start(traders: GrpcServer): Promise<Fixture> {
    const ledger = new FakeLedger();
    const inventory = await startNeighbours(ledger.registration());
    const database = await createServiceDatabase(service);
    const inspector = await openTestDatabase({ url: database.url, poolMax: 2, migrations: [] });
    return new Fixture(traders, { ledger, inventory, database, inspector });
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
    await this.inventory.stop();
    await this.#inspector.stop();
    await this.#database.drop();
  }

  /** Registers a callback for the end of the test. The last runs first. */
  atEnd(end: () => Promise<void> | void): void {
    this.#ends.push(end);
  }

  /** Starts a replica in its own process. */
  async startProcess(): Promise<Replica & { registry: Registry }> {
    const started = await startReplica(this.variables);
    this.atEnd(started.kill);
    const registry = await connectTo(started.address);
    this.atEnd(registry.close);
    return { ...started, registry };
  }

  /** Starts a replica in this process. */
  async startInside(): Promise<{ registry: Registry; stop(): Promise<void> }> {
    const { variables } = this;
    const running = await startTestService(service, { variables, databaseUrl: this.#database.url });
    const registry = await connectTo(running.address);
    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= running.stop());
    this.#ends.push(stop, registry.close);
    return { registry, stop };
  }

  /** Blocks until the end of the test, so that the ledger can stop. */
  hang(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.atEnd(resolve);
    return promise;
  }

  /** Applies the n-th batch without answering it. Resolves when the batch is in flight. */
  hangAfterBatch(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let left = count;
    this.ledger.afterApply = async () => {
      left -= 1;
      if (left > 0) return;
      resolve();
      await this.hang();
    };
    return promise;
  }

  /** Blocks the first call of an import at the ledger. */
  holdFirstCall(): { readonly reached: Promise<void>; release(): void } {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    this.atEnd(release);
    this.ledger.beforeApply = () => {
      reach();
      return released;
    };
    return { reached, release };
  }

  select<Row extends object>(statement: Sql): Promise<Row[]> {
    return query<Row>(this.#inspector.em(), statement);
  }

  /** Ends the leases of imports and uploads. */
  endLeases(): Promise<unknown> {
    return this.select(sql`update import set lease_until = clock_timestamp()`);
  }

  async isHeld(): Promise<boolean> {
    return (await this.select(sql`select id from import where lease_until > clock_timestamp()`)).length > 0;
  }

  listChunks(): Promise<unknown[]> {
    return this.select(sql`select position from import_chunk`);
  }
}
