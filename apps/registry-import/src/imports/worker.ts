import type { AvailabilityWatch } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { createJob, type Part } from '@saleschannel/runtime';
import type { Context } from '../context.ts';
import { UnreadableFile } from '../domain/import-lines.ts';
import { findSilentNeighbours } from '../neighbours/find-silent.ts';
import {
  claimNext,
  countFault,
  hasFreeImport,
  giveBack,
  renewLease,
  type ImportRun,
  type Lease,
} from '../store/import-runs.ts';
import type { LineError } from '../store/imports.ts';
import { failUpload, findAbandonedUploads, INCOMPLETE } from '../store/uploads.ts';
import { endImport } from './end-import.ts';
import { LeaseLost } from './lease-lost.ts';
import { runImport } from './run-import.ts';

/** Concurrent imports per replica. Each holds two batches of lines and keeps two calls of the ledger busy. */
const IMPORTS_AT_ONCE = 3;
/** A lease survives a process that stands still for most of it. */
const RENEWALS_PER_LEASE = 6;
/** After a fault, before any replica goes on with the import. */
const REST_MS = 1_000;
/** An import that fails this often in a row, for a reason that nobody foresaw, is ended. */
const FAULTS_AT_MOST = 5;

/**
 * Applies imports, some at a time, each of another account holder. After a crash of this process another replica goes
 * on when the leases have ended. A replica that has not reached inventory, traders or rbac for ten seconds leaves its
 * imports to others, and takes none until all of them answer.
 */
export class ImportWorker implements Part {
  readonly #context: Context;
  readonly #owner = newId();
  readonly #stopping = new AbortController();
  readonly #rest = createRest(this.#stopping.signal);
  readonly #neighbours: AvailabilityWatch;
  readonly #running = new Set<Promise<void>>();
  #silent: readonly string[] = [];
  /** Aborted when what runs is left to other replicas. */
  #leaving = new AbortController();
  #loop = Promise.resolve();

  constructor(context: Context, createWatch: (probe: () => Promise<boolean>) => AvailabilityWatch) {
    this.#context = context;
    this.#neighbours = createWatch(async () => {
      this.#silent = await findSilentNeighbours(context);
      return this.#silent.length === 0;
    });
    this.#neighbours.onChange(() => this.#neighboursChanged());
  }

  /** There is something to do. */
  wake(): void {
    this.#rest.wake();
  }

  /** Does not wait for neighbours: services start in any order. */
  start(): Promise<void> {
    void this.#neighbours.start();
    this.#loop = this.#work();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#neighbours.stop(), this.#loop]);
    await Promise.all(this.#running);
  }

  #neighboursChanged(): void {
    const { logger } = this.#context;
    if (this.#neighbours.isLost) {
      logger.error({ neighbours: this.#silent }, 'neighbours do not answer: leaving imports to other replicas');
      this.#leaving.abort();
      this.#leaving = new AbortController();
    } else {
      logger.info('all neighbours answer: taking imports');
      this.wake();
    }
  }

  async #work(): Promise<void> {
    const { database, logger, lease } = this.#context;
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#claim();
        for (const id of await findAbandonedUploads(database.em())) {
          await database.transaction((em) => failUpload(em, id, INCOMPLETE));
        }
      } catch (error) {
        logger.warn({ err: error }, 'imports wait: the database cannot be used');
      }
      await this.#rest.sleep(lease.pollMs);
    }
  }

  async #claim(): Promise<void> {
    const { database, lease } = this.#context;
    const mayClaim = (): boolean =>
      this.#neighbours.isUsable && this.#running.size < IMPORTS_AT_ONCE && !this.#stopping.signal.aborted;
    while (mayClaim() && (await hasFreeImport(database.em()))) {
      const run = await database.transaction((em) => claimNext(em, this.#owner, lease.leaseMs));
      if (!run) return;
      const signal = AbortSignal.any([this.#stopping.signal, this.#leaving.signal]);
      const work = workOn(this.#context, run, this.#owner, signal).finally(() => {
        this.#running.delete(work);
        this.wake();
      });
      this.#running.add(work);
    }
  }
}

/**
 * Takes an import on, and gives it back if it is not over. Never rejects.
 * @param leaving aborted when it must be given back
 */
async function workOn(context: Context, run: ImportRun, owner: string, leaving: AbortSignal): Promise<void> {
  const { database, logger } = context;
  const { leaseMs } = context.lease;
  const lease: Lease = { importId: run.id, owner, number: run.leaseNumber, leaseMs };
  const lost = new AbortController();
  const renewal = createJob({
    everyMs: leaseMs / RENEWALS_PER_LEASE,
    work: async () => {
      if (!(await renewLease(database.em(), lease))) lost.abort(new LeaseLost('the lease is over'));
    },
    failed: (error) => logger.warn({ err: error, importId: run.id }, 'cannot renew the lease of an import'),
  });
  await renewal.start();
  try {
    const isOver = await runImport(context, run, lease, AbortSignal.any([leaving, lost.signal]));
    if (isOver) logger.info({ importId: run.id }, 'import completed');
  } catch (error) {
    if (lost.signal.aborted || error instanceof LeaseLost) return;
    await (leaving.aborted ? giveBack(database.em(), lease, 0) : endFailedRun(context, lease, error)).catch(
      (failure: unknown) => logger.warn({ err: failure, importId: run.id }, 'cannot give an import back'),
    );
  } finally {
    // What is on its way to the database changes nothing after the lease.
    void renewal.stop();
  }
}

async function endFailedRun(context: Context, lease: Lease, error: unknown): Promise<void> {
  const { database, logger, quotas } = context;
  if (error instanceof UnreadableFile) {
    const { line, code, message: detail } = error;
    await database.transaction((em) => endImport(em, lease, 'FAILED', quotas.errorsStored, { line, code, detail }));
    return;
  }
  const isForeseen = database.asDomainError(error) instanceof DomainError;
  if (isForeseen) logger.warn({ err: error, importId: lease.importId }, 'an import waits: a service cannot be used');
  else await giveUpAfterFaults(context, lease, error);
  await giveBack(database.em(), lease, REST_MS);
}

async function giveUpAfterFaults({ database, logger, quotas }: Context, lease: Lease, error: unknown): Promise<void> {
  logger.error({ err: error, importId: lease.importId }, 'an import failed');
  const counted = await countFault(database.em(), lease);
  if (!counted || counted.faults < FAULTS_AT_MOST) return;
  const detail = 'From here on the file could not be applied.';
  const failure: LineError = { line: counted.nextLine, code: 'internal', detail };
  await database.transaction((em) => endImport(em, lease, 'FAILED', quotas.errorsStored, failure));
}

/** Sleep that a wake-up ends, also one that came just before. */
function createRest(signal: AbortSignal): { sleep(ms: number): Promise<void>; wake(): void } {
  let isWanted = false;
  let end = (): void => undefined;
  signal.addEventListener('abort', () => end());
  return {
    wake() {
      isWanted = true;
      end();
    },
    async sleep(ms) {
      if (!isWanted && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isWanted = false;
    },
  };
}
