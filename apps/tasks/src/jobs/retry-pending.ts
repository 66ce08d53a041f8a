import type { Database } from '@saleschannel/database';
import { MAX_MESSAGE_BYTES } from '@saleschannel/messaging';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { z } from 'zod';
import { taskMessages } from '../domain/task.ts';
import { type Announcer, takeUnanswered, takeRefused, withdrawTasks } from '../store/announcements.ts';

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

/** Transactions per run and kind of work; the rest waits for the next run. */
const MAX_ROUNDS = 10;

interface RetryOptions {
  readonly database: Database;
  readonly announcer: Announcer;
  /** Time without an answer after which a task is announced again. */
  readonly seconds: number;
  readonly logger: Logger;
}

/** Periodically withdraws tasks whose announcement was refused, and announces unanswered tasks again. */
export const createRetryJob = ({ database, announcer, seconds, logger }: RetryOptions): Part =>
  createJob({
    everyMs: (seconds * 1_000) / 3,
    async work(signal) {
      const withdrawn = await repeat(() => withdrawRefused(database, announcer), signal);
      if (withdrawn > 0) logger.error(`the broker refused the announcement of ${withdrawn} task(s); withdrawing them`);
      const forgotten = await repeat(() => retryUnanswered(database, announcer, seconds), signal);
      if (forgotten > 0) logger.warn(`the ledger has not answered ${forgotten} task(s); announcing them again`);
    },
    onError: (error) => logger.warn({ err: error }, 'cannot look for unanswered tasks'),
  });

async function repeat(work: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (let round = 0; round < MAX_ROUNDS && !signal.aborted; round++) {
    const done = await work();
    if (done === 0) break;
    count += done;
  }
  return count;
}
