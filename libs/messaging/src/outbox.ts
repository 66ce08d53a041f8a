import type { EntityManager } from '@mikro-orm/postgresql';
import type { IntegrationEvent, IntegrationEventType } from '@saleschannel/contracts';
import { query } from '@saleschannel/database';

/** Entries of one message at most: many make each cheap, too many make one slow. */
export const ENTRIES_PER_MESSAGE_AT_MOST = 100;

/** Channel of PostgreSQL's NOTIFY on which a commit wakes the relay. */
export const OUTBOX_CHANNEL = 'outbox';

/** For a service's migrations. A row is one message; it is deleted when the broker has confirmed it. */
export const outboxSchema = `
  create table outbox (
    id bigint generated always as identity primary key,
    type text not null,
    body text not null,
    created_at timestamptz not null default clock_timestamp()
  );
  create function wake_outbox_relay() returns trigger language plpgsql as $$
  begin
    perform pg_notify('${OUTBOX_CHANNEL}', '');
    return null;
  end $$;
  create trigger outbox_wakes_relay after insert on outbox for each statement execute function wake_outbox_relay();`;

/** Puts events into the outbox, in the transaction that makes them true. */
export async function enqueue<T extends IntegrationEventType>(
  em: EntityManager,
  type: T,
  entries: IntegrationEvent<T>[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows: { body: string }[] = [];
  for (let at = 0; at < entries.length; at += ENTRIES_PER_MESSAGE_AT_MOST) {
    rows.push({ body: JSON.stringify({ entries: entries.slice(at, at + ENTRIES_PER_MESSAGE_AT_MOST) }) });
  }
  await query(em, 'insert into outbox (type, body) select ?, body from jsonb_to_recordset(?::jsonb) as r(body text)', [
    type,
    JSON.stringify(rows),
  ]);
}
