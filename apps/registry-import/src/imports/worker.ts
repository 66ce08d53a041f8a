import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import type { Part } from '@saleschannel/runtime';
import type { Context } from '../context.ts';
import { UnreadableFile } from '../domain/import-lines.ts';
import { claimNext, countFault, releaseLeases, renewLease, type ImportRun, type Lease } from '../store/import-runs.ts';
import type { LineError } from '../store/imports.ts';
import { failUpload, findAbandonedUploads, INCOMPLETE } from '../store/uploads.ts';
import { endImport } from './end-import.ts';
import { LeaseLost } from './lease-lost.ts';
import { runImport } from './run-import.ts';

export interface ImportWorker extends Part {
  /** There is something to do. */
  wake(): void;
}

const BACKOFF_FIRST_MS = 250;
const BACKOFF_AT_MOST_MS = 5_000;
/** An import that fails this often in a row, for a reason that nobody foresaw, is ended. */
const FAULTS_AT_MOST = 5;

/**
 * Applies imports, one at a time, in turns of their account holders. After a crash of this process another replica goes
 * on when the lease has ended.
 */
export function createImportWorker(context: Context): ImportWorker {
  const { database, logger } = context;
  const owner = newId();
  const stopping = new AbortController();
  const rest = createRest(stopping.signal);
  let work = Promise.resolve();

  async function loop(): Promise<void> {
    let backoffMs = BACKOFF_FIRST_MS;
    while (!stopping.signal.aborted) {
      try {
        const run = await database.transaction((em) => claimNext(em, owner, context.lease.leaseMs));
        if (run) await workOn(context, run, owner, stopping.signal);
        else await idle();
        backoffMs = BACKOFF_FIRST_MS;
      } catch (error) {
        if (stopping.signal.aborted) return;
        logger.warn({ err: error }, 'imports wait: something they need cannot be reached');
        await rest.sleep(backoffMs);
        backoffMs = Math.min(backoffMs * 2, BACKOFF_AT_MOST_MS);
      }
    }
  }

  /** Gives up uploads whose replica went away, then sleeps. */
  async function idle(): Promise<void> {
    for (const id of await findAbandonedUploads(database.em())) {
      await database.transaction((em) => failUpload(em, id, INCOMPLETE));
    }
    await rest.sleep(context.lease.pollMs);
  }

  return {
    wake: rest.wake,
    async start() {
      work = loop();
    },
    async stop() {
      stopping.abort();
      await work;
      await releaseLeases(database.em(), owner);
    },
  };
}

/** @throws Error when the import must be tried again */
async function workOn(context: Context, run: ImportRun, owner: string, stopping: AbortSignal): Promise<void> {
  const { database, logger } = context;
  const lease: Lease = { importId: run.id, owner, number: run.leaseNumber, leaseMs: context.lease.leaseMs };
  const lost = new AbortController();
  const renewal = setInterval(() => {
    renewLease(database.em(), lease).then(
      (isHeld) => isHeld || lost.abort(new LeaseLost('the lease is over')),
      (error: unknown) => logger.warn({ err: error, importId: run.id }, 'cannot renew the lease of an import'),
    );
  }, lease.leaseMs / 3);
  try {
    const isOver = await runImport(context, run, lease, AbortSignal.any([stopping, lost.signal]));
    if (isOver) logger.info({ importId: run.id }, 'import completed');
  } catch (error) {
    if (stopping.aborted || error instanceof LeaseLost) return;
    if (error instanceof UnreadableFile) {
      const { line, code, message: detail } = error;
      await database.transaction((em) =>
        endImport(em, lease, 'FAILED', context.quotas.errorsStored, { line, code, detail }),
      );
      return;
    }
    if (!(database.asDomainError(error) instanceof DomainError)) await giveUpAfterFaults(context, lease, error);
    throw error;
  } finally {
    clearInterval(renewal);
  }
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
