import type { Database } from '@saleschannel/database';
import { MESSAGE_BYTES_AT_MOST } from '@saleschannel/messaging';
import { taskMessages } from '../domain/task.ts';
import { takeForgotten } from '../store/announcements.ts';
import type { Announcer } from './announce.ts';

/** Of one round, beside the bytes of one message. */
const TASKS_AT_MOST = 100;
/** With 30 seconds before the second one, the last announcement is made after an hour. */
const ANNOUNCEMENTS_AT_MOST = 8;

/**
 * Announces tasks again that the ledger has not answered: a crash or a lost queue leaves none behind. The time between
 * two announcements doubles, so that a ledger that is away finds few of each task. After the last one the transfer is
 * withdrawn, and the ledger says what became of the task. Returns how many tasks were announced or withdrawn.
 */
export const pickUpForgotten = (database: Database, announcer: Announcer, waitSeconds: number): Promise<number> =>
  database.transaction(async (em) => {
    const taken = await takeForgotten(em, {
      waitSeconds,
      announcementsAtMost: ANNOUNCEMENTS_AT_MOST,
      withdrawal: taskMessages.unanswered,
      tasksAtMost: TASKS_AT_MOST,
      bytesAtMost: MESSAGE_BYTES_AT_MOST,
    });
    const requests = taken.flatMap(({ request }) => request ?? []);
    const withdrawn = taken.flatMap(({ taskId, withdrawal, traceparent, firstCertificate }) =>
      withdrawal === null ? [] : [{ taskId, reason: withdrawal, traceparent, firstCertificate }],
    );
    announcer.transfers(em, requests);
    announcer.withdrawals(em, withdrawn);
    return taken.length;
  });
