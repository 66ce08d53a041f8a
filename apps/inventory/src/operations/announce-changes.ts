import type { EntityManager } from '@saleschannel/database';
import { enqueue } from '@saleschannel/messaging';
import type { StatusChange } from '../domain/transaction.ts';
import { insertStatusChanges } from '../store/status-changes.ts';

/**
 * Numbers changes of status, keeps them, and puts their integration events into the outbox: the last step but
 * the audit's of each transaction that ends transfers, for it locks the heads of their channels (ADR 15).
 */
export async function announceChanges(em: EntityManager, changes: readonly StatusChange[]): Promise<void> {
  if (changes.length === 0) return;
  const sequences = await insertStatusChanges(em, changes);
  const placed = changes.map((change) => ({ ...change, sequence: sequences.get(change.eventId) }));
  await enqueue(em, 'inventory.transaction.status-changed.v1', placed);
}
