import type { TransferRequested } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import { enqueueForLedger } from '@saleschannel/messaging';
import type { Withdrawal } from '../store/announcements.ts';

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
