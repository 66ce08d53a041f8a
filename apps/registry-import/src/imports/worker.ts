import type { AvailabilityWatch } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { createJob, type Part } from '@saleschannel/runtime';
import type { Context } from '../context.ts';
import { UnreadableFile } from '../domain/import-lines.ts';
import {
  claimNext,
  releaseLease,
  hasFreeImport,
  renewLease,
  countFault,
  type ImportRun,
  type Lease,
} from '../store/import-runs.ts';
import { failUpload, findAbandonedUploads, UPLOAD_INCOMPLETE, type LineError } from '../store/imports.ts';
import { LeaseLost } from './apply-lines.ts';
import { endImport, runImport } from './run-import.ts';

/** Long enough for an empty call to a busy service. */
const PROBE_TIMEOUT_MS = 3_000;

/** Probes the services that imports need with empty calls, and returns those that do not answer. Never rejects. */
export async function findSilentNeighbours({
  ledger,
  traders,
  rbac,
}: Pick<Context, 'ledger' | 'traders' | 'rbac'>): Promise<string[]> {
  const options = { timeoutMs: PROBE_TIMEOUT_MS };
  const probes = {
    inventory: ledger.ApplyFacilities({ facilities: [] }, options),
    traders: traders.FindOnboardedTraders({ keys: [] }, options),
    rbac: rbac.GetSalesChannels({ salesChannelIds: [] }, options),
  };
  const results = Object.entries(probes).map(([name, answer]) =>
    answer.then(
      () => [],
      () => [name],
    ),
  );
  return (await Promise.all(results)).flat();
}

/** Concurrent imports per replica. Each has two batches in memory and two calls to the ledger. */
const MAX_IMPORTS = 3;
/** Keeps the lease of a process that pauses for most of it. */
const RENEWALS_PER_LEASE = 6;
/** Pause of an import after a fault. */
const PAUSE_MS = 1_000;
/** Consecutive unforeseen faults that end an import. */
const MAX_FAULTS = 5;

/**
 * Runs imports concurrently, one per account holder. After a crash, another replica continues when the leases expire. A
 * replica that cannot reach inventory, traders or rbac for ten seconds leaves its imports to others, and claims none
 * until all three answer.
 */
export class ImportWorker implements Part {
  readonly #context: Context;
  readonly #owner = newId();
  readonly #stopping = new AbortController();
  readonly #pause = createPause(this.#stopping.signal);
  readonly #neighbours: AvailabilityWatch;
  readonly #running = new Set<Promise<void>>();
  #silent: readonly string[] = [];
  /** Aborts running imports to leave them to other replicas. */
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

  wake(): void {
    this.#pause.wake();
  }

  /** Does not wait for other services, which start in any order. */
  start(): Promise<void> {
    void this.#neighbours.start();
    this.#loop = this.#loopUntilStopped();
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
      logger.error({ neighbours: this.#silent }, 'services do not answer: leaving imports to other replicas');
      this.#leaving.abort();
      this.#leaving = new AbortController();
    } else {
      logger.info('all services answer: claiming imports');
      this.wake();
    }
  }

  async #loopUntilStopped(): Promise<void> {
    const { database, logger, lease } = this.#context;
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#claim();
        for (const id of await findAbandonedUploads(database.em())) {
          await database.transaction((em) => failUpload(em, id, UPLOAD_INCOMPLETE));
        }
      } catch (error) {
        logger.warn({ err: error }, 'imports wait: the database is unavailable');
      }
      await this.#pause.sleep(lease.pollMs);
    }
  }

  async #claim(): Promise<void> {
    const { database, lease } = this.#context;
    const mayClaim = (): boolean =>
      this.#neighbours.isUsable && this.#running.size < MAX_IMPORTS && !this.#stopping.signal.aborted;
    while (mayClaim() && (await hasFreeImport(database.em()))) {
      const run = await database.transaction((em) => claimNext(em, this.#owner, lease.leaseMs));
      if (!run) return;
      const signal = AbortSignal.any([this.#stopping.signal, this.#leaving.signal]);
      const work = runLeased(this.#context, run, this.#owner, signal).finally(() => {
        this.#running.delete(work);
        this.wake();
      });
      this.#running.add(work);
    }
  }
}

/**
 * Runs a leased import, and releases it unless it has ended. Never rejects.
 * @param leaving aborts the import to release it
 */
async function runLeased(context: Context, run: ImportRun, owner: string, leaving: AbortSignal): Promise<void> {
  const { database, logger } = context;
  const { leaseMs } = context.lease;
  const lease: Lease = { importId: run.id, owner, number: run.leaseNumber, leaseMs };
  const lost = new AbortController();
  const renewal = createJob({
    everyMs: leaseMs / RENEWALS_PER_LEASE,
    work: async () => {
      if (!(await renewLease(database.em(), lease))) lost.abort(new LeaseLost('The lease has ended.'));
    },
    onError: (error) => logger.warn({ err: error, importId: run.id }, 'the lease of an import cannot be renewed'),
  });
  await renewal.start();
  try {
    const hasEnded = await runImport(context, run, lease, AbortSignal.any([leaving, lost.signal]));
    if (hasEnded) logger.info({ importId: run.id }, 'import completed');
  } catch (error) {
    if (lost.signal.aborted || error instanceof LeaseLost) return;
    await (leaving.aborted ? releaseLease(database.em(), lease, 0) : endFailedRun(context, lease, error)).catch(
      (failure: unknown) => logger.warn({ err: failure, importId: run.id }, 'an import cannot be released'),
    );
  } finally {
    // A pending renewal has no effect after the lease.
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
  const isForeseen = database.toDomainError(error) instanceof DomainError;
  if (isForeseen) logger.warn({ err: error, importId: lease.importId }, 'an import waits: a service is unavailable');
  else await failAfterFaults(context, lease, error);
  await releaseLease(database.em(), lease, PAUSE_MS);
}

async function failAfterFaults({ database, logger, quotas }: Context, lease: Lease, error: unknown): Promise<void> {
  logger.error({ err: error, importId: lease.importId }, 'an import failed');
  const counted = await countFault(database.em(), lease);
  if (!counted || counted.faults < MAX_FAULTS) return;
  const detail = 'The file could not be applied from this line on.';
  const failure: LineError = { line: counted.nextLine, code: 'internal', detail };
  await database.transaction((em) => endImport(em, lease, 'FAILED', quotas.errorsStored, failure));
}

/** Creates a sleep that a wake-up ends, even one that came just before. */
function createPause(signal: AbortSignal): { sleep(ms: number): Promise<void>; wake(): void } {
  let isWoken = false;
  let end = (): void => undefined;
  signal.addEventListener('abort', () => end());
  return {
    wake() {
      isWoken = true;
      end();
    },
    async sleep(ms) {
      if (!isWoken && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isWoken = false;
    },
  };
}
