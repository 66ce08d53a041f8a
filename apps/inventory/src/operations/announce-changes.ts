import type { EntityManager } from '@saleschannel/database';
import { enqueue } from '@saleschannel/messaging';
import type { StatusChange } from '../domain/transaction.ts';
import { insertStatusChanges, type LockedSequences } from '../store/status-changes.ts';

/**
 * Numbers changes of status, keeps them, and puts their integration events into the outbox.
 * @param sequences of their channels, locked by the transaction after all that it locks but the audit trail (ADR 15)
 */
export function announceChanges(em: EntityManager, sequences: LockedSequences, changes: readonly StatusChange[]): void {
  if (changes.length === 0) return;
  enqueue(em, 'inventory.transaction.status-changed.v1', insertStatusChanges(em, sequences, changes));
}
