import type { Database, EntityManager } from '@saleschannel/database';
import { lowestIdAt } from '@saleschannel/primitives';
import { lockEnded, createArchiveMonth, moveIntoArchive, type EndedTaskTable } from '../store/archive.ts';

/** Tasks per transaction. */
const MAX_TASKS = 500;

export interface ArchiveBatch {
  readonly from: EndedTaskTable;
  readonly endedBefore: Date;
  /** Id of the last task of the previous batch. Empty for the first batch. */
  readonly after: string;
}

export interface ArchivedBatch {
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
