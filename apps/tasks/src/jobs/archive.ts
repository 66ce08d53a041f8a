import type { Database, EntityManager } from '@saleschannel/database';
import { lowestIdAt } from '@saleschannel/primitives';
import { createJob, meter, type Logger, type Part } from '@saleschannel/runtime';
import {
  listComingMonths,
  dropMonths,
  createArchiveMonth,
  removeDroppedExceptions,
  removeDroppedKeys,
  type EndedTaskTable,
  lockEnded,
  moveIntoArchive,
} from '../store/archive.ts';
import { removeDroppedMetadata } from '../store/references.ts';

/** Tasks per transaction. */
const MAX_TASKS = 500;

interface ArchiveBatch {
  readonly from: EndedTaskTable;
  readonly endedBefore: Date;
  /** Id of the last task of the previous batch. Empty for the first batch. */
  readonly after: string;
}

interface ArchivedBatch {
  readonly count: number;
  /** Start of the next batch. Undefined after the last one. */
  readonly after: string | undefined;
}

/** Archives one batch of ended tasks, in one transaction. Concurrent replicas take different tasks. */
export const archiveTasks = (database: Pick<Database, 'transaction'>, batch: ArchiveBatch): Promise<ArchivedBatch> =>
  database.transaction((em) => archiveInTransaction(em, batch));

/** Archives one batch within the caller's transaction. */
export async function archiveInTransaction(
  em: EntityManager,
  { from, endedBefore, after }: ArchiveBatch,
): Promise<ArchivedBatch> {
  const idsBelow = lowestIdAt(endedBefore.getTime());
  const tasks = await lockEnded(em, from, { endedBefore, idsBelow, after, limit: MAX_TASKS });
  if (tasks.length > 0) {
    for (const month of new Set(tasks.map(({ month }) => month))) await createArchiveMonth(em, month);
    await moveIntoArchive(em, from, tasks);
  }
  return { count: tasks.length, after: tasks.length < MAX_TASKS ? undefined : tasks.at(-1)?.id };
}

/** Batches per run and source; the rest waits for the next run. */
const MAX_BATCHES = 200;
const MAX_ROWS_PER_DELETION = 5_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

interface ArchiveOptions {
  readonly database: Database;
  readonly seconds: number;
  /** Age of an end at which the task is archived. */
  readonly afterDays: number;
  /** Whole months to keep. 0 keeps all. */
  readonly keptMonths: number;
  readonly logger: Logger;
}

/** Archives tasks that ended long ago, creates partitions for the coming months and drops partitions past retention. */
export function createArchiveJob({ database, seconds, afterDays, keptMonths, logger }: ArchiveOptions): Part {
  const archived = meter().createCounter('saleschannel.task_archive.tasks', {
    description: 'Archived tasks',
  });
  const dropped = meter().createCounter('saleschannel.task_archive.months_dropped', {
    description: 'Dropped months of the archive',
  });
  const failures = meter().createCounter('saleschannel.task_archive.failures', {
    description: 'Failed runs of the archive job',
  });

  const move = async (from: EndedTaskTable, endedBefore: Date, signal: AbortSignal): Promise<void> => {
    let after: string | undefined = '';
    for (let batch = 0; batch < MAX_BATCHES && after !== undefined && !signal.aborted; batch++) {
      const moved = await archiveTasks(database, { from, endedBefore, after });
      archived.add(moved.count);
      after = moved.after;
    }
  };

  return createJob({
    everyMs: seconds * 1_000,
    async work(signal) {
      const now = Date.now();
      for (const month of await listComingMonths(database.em())) await createArchiveMonth(database.em(), month);
      await move('task', new Date(now - afterDays * DAY_MS), signal);
      await move('task_before', new Date(now), signal);
      if (keptMonths === 0) return;
      const months = await dropMonths(database.em(), keptMonths);
      dropped.add(months);
      if (months > 0) logger.info(`dropped ${months} month(s) of the task archive`);
      while (!signal.aborted && (await removeDroppedKeys(database.em(), MAX_ROWS_PER_DELETION)) > 0);
      while (!signal.aborted && (await removeDroppedExceptions(database.em(), MAX_ROWS_PER_DELETION)) > 0);
      while (!signal.aborted && (await removeDroppedMetadata(database.em(), MAX_ROWS_PER_DELETION)) > 0);
    },
    onError(error) {
      failures.add(1);
      logger.warn({ err: error }, 'cannot archive tasks');
    },
  });
}
