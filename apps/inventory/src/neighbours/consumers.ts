import type { ServiceClient } from '@saleschannel/grpc';
import type { Progress } from '../domain/reconciliation.ts';

/** A service that applies the ledger's changes of status. */
export interface StatusConsumer {
  readonly name: string;
  /** How far it has come, in every channel that it knows or in one. */
  progress(salesChannelId: string | undefined, signal: AbortSignal): Promise<Map<string, Progress>>;
}

export const createStatusConsumer = (name: string, client: ServiceClient<'ledgerProgress'>): StatusConsumer => ({
  name,
  async progress(salesChannelId, signal) {
    const all = new Map<string, Progress>();
    for await (const { channels } of client.GetLedgerProgress({ salesChannelId }, { signal })) {
      for (const { salesChannelId: id, upto, highest, gaps } of channels) {
        const ranges = gaps.map(({ first, last }) => ({ first: BigInt(first), last: BigInt(last) }));
        all.set(id, { upto: BigInt(upto), highest: BigInt(highest), gaps: ranges });
      }
    }
    return all;
  },
});
