import type { EntityManager } from '@saleschannel/database';
import { enqueue } from '@saleschannel/messaging';
import type { StatusChange } from '../domain/transaction.ts';
import { insertStatusChanges, type LockedSequences } from '../store/status-changes.ts';

/**
 * Numbers and stores changes of status, and enqueues their integration events.
 * @param sequences locked after everything else except the audit trails (ADR 14)
 */
export function announceChanges(em: EntityManager, sequences: LockedSequences, changes: readonly StatusChange[]): void {
  if (changes.length === 0) return;
  enqueue(em, 'inventory.transaction.status-changed.v1', insertStatusChanges(em, sequences, changes));
}
