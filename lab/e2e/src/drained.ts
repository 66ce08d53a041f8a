import { eventually } from '@saleschannel/testing';
import type { System } from './system.ts';

const undecided = `
  select count(*) filter (where transaction_id is null) as undecided, count(*) as waiting
  from task where status = 'PENDING'`;
const ended = `
  select count(*) filter (where status <> 'PENDING') as ended, count(*) filter (where status = 'PENDING') as waiting
  from ledger_transaction where task_id is not null`;
const unsent = 'select id from outbox limit 1';
const senders = ['identity', 'rbac', 'inventory', 'tasks'] as const;

/** Resolves when every task that was accepted is decided, every message delivered and every event in the log. */
export async function drained(sql: System['sql']): Promise<void> {
  await eventually(async () => {
    const [[task], [ledger], [log], ...outboxes] = await Promise.all([
      sql<{ undecided: string; waiting: string }>('tasks', undecided),
      sql<{ ended: string; waiting: string }>('inventory', ended),
      sql<{ events: string }>('events', 'select count(*) as events from event'),
      ...senders.map((service) => sql(service, unsent)),
    ]);
    const isDecided = task?.undecided === '0' && task.waiting === ledger?.waiting && ledger.ended === log?.events;
    return isDecided && outboxes.every(({ length }) => length === 0);
  }, 'the end of all tasks');
}
