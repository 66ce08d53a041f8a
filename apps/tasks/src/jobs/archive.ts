import type { Database } from '@saleschannel/database';
import { createJob, meter, type Logger, type Part } from '@saleschannel/runtime';
import { archiveTasks } from '../operations/archive-tasks.ts';
import {
  listComingMonths,
  dropMonths,
  createArchiveMonth,
  removeDroppedExceptions,
  removeDroppedKeys,
  type EndedTaskTable,
} from '../store/archive.ts';
import { removeDroppedMetadata } from '../store/references.ts';

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
