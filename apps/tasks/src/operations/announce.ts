import type { TransferRequested } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import { enqueueForLedger } from '@saleschannel/messaging';
import type { Withdrawal } from '../store/announcements.ts';

/** Tells the ledger of transfers, in the transaction that makes or takes their tasks. */
export interface Announcer {
  transfers(em: EntityManager, requests: readonly TransferRequested[]): void;
  /** Not to be carried out any more. Told where the ledger was told of them. */
  withdrawals(em: EntityManager, withdrawals: readonly Withdrawal[]): void;
}

/** @param partitions how many of the ledger's partitions are used (ADR 26) */
export const createAnnouncer = (partitions: number): Announcer => ({
  transfers: (em, requests) =>
    enqueueForLedger(
      em,
      'tasks.transfer.requested.v1',
      requests.map((event) => ({ event, firstCertificate: event.assets[0]?.start })),
      partitions,
    ),
  withdrawals: (em, withdrawals) =>
    enqueueForLedger(
      em,
      'tasks.transfer.withdrawn.v1',
      withdrawals.map(({ firstCertificate, ...event }) => ({ event, firstCertificate })),
      partitions,
    ),
});
