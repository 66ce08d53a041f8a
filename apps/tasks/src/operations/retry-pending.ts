import type { Database } from '@saleschannel/database';
import { MAX_MESSAGE_BYTES } from '@saleschannel/messaging';
import { z } from 'zod';
import { taskMessages } from '../domain/task.ts';
import { takeUnanswered, takeRefused, withdrawTasks } from '../store/announcements.ts';
import type { Announcer } from './announce.ts';

/** Tasks per transaction, which must also fit into one message. */
const MAX_TASKS = 100;
/** With 30 seconds before the second announcement, the last one is made after an hour. */
const MAX_ANNOUNCEMENTS = 8;
const MAX_REFUSED_MESSAGES = 10;

const refusedMessage = z.object({ entries: z.array(z.object({ taskId: z.string(), salesChannelId: z.string() })) });

/**
 * Announces unanswered tasks again, so that none is lost in a crash or with a queue. The interval doubles, so that a
 * ledger that was down receives few announcements per task. After the last one the transfer is withdrawn, and the
 * ledger decides how the task ends. Returns the number of tasks announced or withdrawn.
 */
export const retryUnanswered = (database: Database, announcer: Announcer, waitSeconds: number): Promise<number> =>
  database.transaction(async (em) => {
    const taken = await takeUnanswered(em, {
      waitSeconds,
      maxAnnouncements: MAX_ANNOUNCEMENTS,
      withdrawal: taskMessages.unanswered,
      maxTasks: MAX_TASKS,
      maxBytes: MAX_MESSAGE_BYTES,
    });
    const requests = taken.flatMap(({ request }) => request ?? []);
    const withdrawn = taken.flatMap(({ taskId, withdrawal, traceparent, firstCertificate }) =>
      withdrawal === null ? [] : [{ taskId, reason: withdrawal, traceparent, firstCertificate }],
    );
    announcer.announce(em, requests);
    announcer.withdraw(em, withdrawn);
    return taken.length;
  });

/**
 * Withdraws transfers whose announcement the broker refused permanently. Their tasks end when the ledger answers,
 * because it may know them from an earlier announcement. Returns the number of tasks.
 */
export const withdrawRefused = (database: Database, announcer: Announcer): Promise<number> =>
  database.transaction(async (em) => {
    const bodies = await takeRefused(em, MAX_REFUSED_MESSAGES);
    const refused = bodies.flatMap((body) => refusedMessage.parse(JSON.parse(body)).entries);
    if (refused.length === 0) return 0;
    const withdrawn = await withdrawTasks(em, refused, taskMessages.unannounced);
    announcer.withdraw(em, withdrawn);
    return withdrawn.length;
  });
