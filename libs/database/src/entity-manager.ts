import type { Configuration, EntityManager as MappedEntityManager } from '@mikro-orm/postgresql';
import type { Executor } from './executor.ts';

/** The part of MikroORM that a unit of work needs. */
interface Orm {
  readonly config: Configuration;
  readonly em: { fork(): MappedEntityManager };
}

/**
 * Runs the statements of one unit of work: on any connection of the pool, or in its transaction. Creating MikroORM's
 * own entity manager costs more than sending a statement, so it is created only for units of work that map entities.
 */
export class EntityManager {
  readonly #orm: Orm;
  readonly #pool: Executor;
  #transaction: Executor | undefined;
  #entities: MappedEntityManager | undefined;

  constructor(orm: Orm, pool: Executor, transaction?: Executor) {
    this.#orm = orm;
    this.#pool = pool;
    this.#transaction = transaction;
  }

  get config(): Configuration {
    return this.#orm.config;
  }

  get executor(): Executor {
    const begun = this.#entities?.getTransactionContext() as Executor | undefined;
    return begun ?? this.#transaction ?? this.#pool;
  }

  /** Returns another unit of work of the same database, outside of any transaction. */
  fork(): EntityManager {
    return new EntityManager(this.#orm, this.#pool);
  }

  /** Reads and changes mapped entities, in the same transaction. */
  get entities(): MappedEntityManager {
    if (!this.#entities) {
      this.#entities = this.#orm.em.fork();
      if (this.#transaction) this.#entities.setTransactionContext(this.#transaction);
    }
    return this.#entities;
  }

  /** Writes changes of mapped entities. */
  async flush(): Promise<void> {
    await this.#entities?.flush();
  }

  /** Called at the end of the transaction: later statements run outside of it. */
  leaveTransaction(): void {
    this.#transaction = undefined;
    this.#entities?.resetTransactionContext();
  }
}
