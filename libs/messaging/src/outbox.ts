import type { EntityManager } from '@mikro-orm/postgresql';
import type { IntegrationEvent, IntegrationEventType } from '@saleschannel/contracts';
import { join, query, sql, type Sql } from '@saleschannel/database';

/** Entries of one message at most: many make each cheap, too many make one slow. */
const ENTRIES_PER_MESSAGE_AT_MOST = 100;

/** Channel of PostgreSQL's NOTIFY on which a commit wakes the relay. */
export const OUTBOX_CHANNEL = 'outbox';

/**
 * Puts events into the outbox, in the transaction that makes them true. A row is one message. It is deleted when the
 * broker has confirmed it. The table is part of each service's migrations.
 */
export async function enqueue<T extends IntegrationEventType>(
  em: EntityManager,
  type: T,
  events: readonly IntegrationEvent<T>[],
): Promise<void> {
  const messages: Sql[] = [];
  for (let at = 0; at < events.length; at += ENTRIES_PER_MESSAGE_AT_MOST) {
    const body = JSON.stringify({ entries: events.slice(at, at + ENTRIES_PER_MESSAGE_AT_MOST) });
    messages.push(sql`(${type}, ${body})`);
  }
  if (messages.length === 0) return;
  await query(em, sql`insert into outbox (type, body) values ${join(messages)}`);
}
