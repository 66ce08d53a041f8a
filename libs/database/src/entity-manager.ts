import type { Executor } from './executor.ts';

/** Runs the statements of one unit of work, on any connection of the pool or in its transaction. */
export class EntityManager {
  readonly databaseUrl: string;
  readonly #pool: Executor;
  #transaction: Executor | undefined;

  constructor(databaseUrl: string, pool: Executor, transaction?: Executor) {
    this.databaseUrl = databaseUrl;
    this.#pool = pool;
    this.#transaction = transaction;
  }

  get executor(): Executor {
    return this.#transaction ?? this.#pool;
  }

  /** Returns another unit of work of the same database, outside of any transaction. */
  fork(): EntityManager {
    return new EntityManager(this.databaseUrl, this.#pool);
  }

  /** Called at the end of the transaction: later statements run outside of it. */
  leaveTransaction(): void {
    this.#transaction = undefined;
  }
}
