import type { TransferRequested, TransferWithdrawn } from '@saleschannel/contracts';
import { query, recordset, sql, type EntityManager } from '@saleschannel/database';
import { enqueueForLedger } from '@saleschannel/messaging';

/** The certificate that determines the ledger's partition. */
interface Partitioned {
  readonly firstCertificate: string;
}

/** The withdrawal of a transfer. */
interface Withdrawal extends TransferWithdrawn, Partitioned {}

/** The next message about an unanswered task: the transfer again, or its withdrawal. */
export interface Announcement extends Pick<TransferWithdrawn, 'taskId' | 'traceparent'>, Partitioned {
  /** Null once the transfer is withdrawn. */
  readonly request: TransferRequested | null;
  /** Reason of the withdrawal. */
  readonly withdrawal: string | null;
}

/** Intervals and limits of repeated announcements. */
export interface AnnouncementRules {
  /** Interval between the first two announcements. Each further one doubles. */
  readonly waitSeconds: number;
  /** Announcements after which a task is withdrawn and the interval no longer grows. */
  readonly maxAnnouncements: number;
  /** Reason of a withdrawal, for people. */
  readonly withdrawal: string;
  readonly maxTasks: number;
  /** Total size of the requests in one round. A single larger request is sent alone. */
  readonly maxBytes: number;
}

/**
 * Maximum time between a task's announcement and its row in the outbox, which are one statement apart. A longer delay
 * sends a request twice, which is harmless.
 */
const OUTBOX_DELAY_SECONDS = 60;

const firstCertificate = sql`waiting_task.request::jsonb -> 'assets' -> 0 ->> 'start'`;
const traceparent = sql`waiting_task.request::jsonb ->> 'traceparent'`;

/**
 * Takes tasks that the ledger has not answered in time. Skips a task whose last announcement may still be in the
 * outbox: the announcement must be older than every row there. Each task goes to one replica.
 */
export const takeUnanswered = (em: EntityManager, rules: AnnouncementRules): Promise<Announcement[]> =>
  query(
    em,
    sql`with due as materialized (
          select sales_channel_id, task_id, announced_at, octet_length(request) as bytes from waiting_task
          where announced_at < now() - make_interval(secs => ${rules.waitSeconds})
            and announced_at < now() - make_interval(secs => ${rules.waitSeconds})
              * power(2, least(announcements, ${rules.maxAnnouncements}) - 1)
            and announced_at < coalesce(
              (select min(created_at) from outbox where type like 'tasks.transfer.%')
                - make_interval(secs => ${OUTBOX_DELAY_SECONDS}),
              'infinity'
            )
          order by announced_at limit ${rules.maxTasks} for update skip locked
        ), taken as (
          select sales_channel_id, task_id from (
            select *, sum(bytes) over (order by announced_at, task_id) as total from due
          ) as summed
          where total <= ${rules.maxBytes} or total = bytes
        )
        update waiting_task set announced_at = clock_timestamp(), announcements = announcements + 1,
          withdrawal = case
            when withdrawal is null and announcements >= ${rules.maxAnnouncements} then ${rules.withdrawal}
            else withdrawal
          end
        from taken
        where waiting_task.sales_channel_id = taken.sales_channel_id and waiting_task.task_id = taken.task_id
        returning waiting_task.task_id as "taskId", waiting_task.withdrawal,
          case when waiting_task.withdrawal is null then waiting_task.request::jsonb end as request,
          ${traceparent} as traceparent, ${firstCertificate} as "firstCertificate"`,
  );

/** Takes the bodies of announcements that the broker refused permanently. Each goes to one replica. */
export async function takeRefused(em: EntityManager, limit: number): Promise<string[]> {
  const rows = await query<{ body: string }>(
    em,
    sql`with refused as materialized (
          select id from outbox_refused
          where type = 'tasks.transfer.requested.v1' and handled_at is null
          order by id limit ${limit} for update skip locked
        )
        update outbox_refused set handled_at = now() from refused where outbox_refused.id = refused.id
        returning outbox_refused.body`,
  );
  return rows.map(({ body }) => body);
}

const idColumns = { salesChannelId: 'text', taskId: 'text' } as const;

/** Withdraws the tasks that are still unanswered. */
export const withdrawTasks = (
  em: EntityManager,
  tasks: readonly Pick<TransferRequested, 'salesChannelId' | 'taskId'>[],
  reason: string,
): Promise<Withdrawal[]> =>
  query(
    em,
    sql`with wanted as materialized (
          select waiting_task.sales_channel_id, waiting_task.task_id
          from ${recordset('given', idColumns, tasks)}
          join waiting_task on waiting_task.sales_channel_id = given."salesChannelId"
            and waiting_task.task_id = given."taskId"
          order by waiting_task.task_id for update of waiting_task
        )
        update waiting_task set withdrawal = ${reason}, announced_at = clock_timestamp()
        from wanted
        where waiting_task.sales_channel_id = wanted.sales_channel_id and waiting_task.task_id = wanted.task_id
        returning waiting_task.task_id as "taskId", waiting_task.withdrawal as reason, ${traceparent} as traceparent,
          ${firstCertificate} as "firstCertificate"`,
  );

/** Announces transfers to the ledger, in the transaction that creates or retries their tasks. */
export interface Announcer {
  announce(em: EntityManager, requests: readonly TransferRequested[]): void;
  /** Withdraws announced transfers, in the same partition as their announcements. */
  withdraw(em: EntityManager, withdrawals: readonly Withdrawal[]): void;
}

/** @param partitions number of the ledger's partitions in use (ADR 26) */
export const createAnnouncer = (partitions: number): Announcer => ({
  announce: (em, requests) =>
    enqueueForLedger(
      em,
      'tasks.transfer.requested.v1',
      requests.map((event) => ({ event, firstCertificate: event.assets[0]?.start })),
      partitions,
    ),
  withdraw: (em, withdrawals) =>
    enqueueForLedger(
      em,
      'tasks.transfer.withdrawn.v1',
      withdrawals.map(({ firstCertificate, ...event }) => ({ event, firstCertificate })),
      partitions,
    ),
});
