import type { Database, EntityManager } from '@saleschannel/database';
import { lowestIdAt } from '@saleschannel/primitives';
import { lockEnded, makeMonth, moveIntoArchive, type Ended } from '../store/archive.ts';

/** Of one transaction. */
const TASKS_AT_MOST = 500;

/** A part of the ended tasks. */
export interface ArchiveBatch {
  readonly from: Ended;
  readonly endedBefore: Date;
  /** The last one of the batch before, or nothing. */
  readonly after: string;
}

/** What came of it. */
export interface Archived {
  readonly count: number;
  /** Where the next batch begins. Undefined when there is none. */
  readonly after: string | undefined;
}

/**
 * Moves a bounded number of ended tasks into the archive, in one transaction. Replicas that do it at once share them.
 */
export const archiveTasks = (database: Pick<Database, 'transaction'>, batch: ArchiveBatch): Promise<Archived> =>
  database.transaction((em) => archiveWithin(em, batch));

/** The same in a transaction of the caller's. */
export async function archiveWithin(em: EntityManager, { from, endedBefore, after }: ArchiveBatch): Promise<Archived> {
  const idsBelow = lowestIdAt(endedBefore.getTime());
  const tasks = await lockEnded(em, from, { endedBefore, idsBelow, after, atMost: TASKS_AT_MOST });
  if (tasks.length > 0) {
    for (const month of new Set(tasks.map(({ month }) => month))) await makeMonth(em, month);
    await moveIntoArchive(em, from, tasks);
  }
  return { count: tasks.length, after: tasks.length < TASKS_AT_MOST ? undefined : tasks.at(-1)?.id };
}
