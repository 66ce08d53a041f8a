import type { TransferRequested } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import { enqueueForLedger } from '@saleschannel/messaging';
import type { Withdrawal } from '../store/announcements.ts';

/** Tells the ledger of transfers, in the transaction that makes or takes their tasks. */
export const announceTransfers = (em: EntityManager, requests: readonly TransferRequested[]): Promise<void> =>
  enqueueForLedger(
    em,
    'tasks.transfer.requested.v1',
    requests.map((event) => ({ event, firstCertificate: event.assets[0]?.start })),
  );

/** Tells the ledger not to carry transfers out any more, where it was told of them. */
export const announceWithdrawals = (em: EntityManager, withdrawals: readonly Withdrawal[]): Promise<void> =>
  enqueueForLedger(
    em,
    'tasks.transfer.withdrawn.v1',
    withdrawals.map(({ firstCertificate, ...event }) => ({ event, firstCertificate })),
  );
