import type { EntityManager } from '@mikro-orm/postgresql';
import type { IntegrationEvent, IntegrationEventType } from '@saleschannel/contracts';
import { afterCommit, join, query, sql } from '@saleschannel/database';
import { bodiesOf } from './envelope-bodies.ts';
import { wakeRelay } from './waking.ts';

/**
 * Puts events into the outbox, in the transaction that makes them true. A row is one message, bounded in entries and in
 * bytes. It is deleted when the broker has confirmed it. The table is part of each service's migrations.
 */
export async function enqueue<T extends IntegrationEventType>(
  em: EntityManager,
  type: T,
  events: readonly IntegrationEvent<T>[],
): Promise<void> {
  const messages = bodiesOf(events).map((body) => sql`(${type}, ${body})`);
  if (messages.length === 0) return;
  const outside = em.fork();
  afterCommit(em, () => wakeRelay(outside));
  await query(em, sql`insert into outbox (type, body) values ${join(messages)}`);
}
