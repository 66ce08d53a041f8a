import { query, sql, type Database, type Sql } from '@saleschannel/database';
import type { GrpcServer } from '@saleschannel/grpc';
import {
  createServiceDatabase,
  openTestDatabase,
  toRuntimeUrl,
  startNeighbours,
  startTestService,
  type TestDatabase,
} from '@saleschannel/testing';
import { service } from '../../src/app.ts';
import { FakeLedger } from './ledger.ts';
import { connectTo, type Registry } from './registry-import.ts';
import { startReplica, type Replica } from './replica.ts';

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
