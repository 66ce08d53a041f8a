import type { ServiceClient } from '@saleschannel/grpc';
import type { Progress } from '../domain/reconciliation.ts';

/** A service that applies the ledger's changes of status. */
export interface StatusConsumer {
  readonly name: string;
  /** Progress in all channels that it knows, or in one. */
  readProgress(salesChannelId: string | undefined, signal: AbortSignal): Promise<Map<string, Progress>>;
}

export const createStatusConsumer = (name: string, client: ServiceClient<'ledgerProgress'>): StatusConsumer => ({
  name,
  async readProgress(salesChannelId, signal) {
    const byChannel = new Map<string, Progress>();
    for await (const { channels } of client.GetLedgerProgress({ salesChannelId }, { signal })) {
      for (const { salesChannelId: id, upto, highest, gaps } of channels) {
        const ranges = gaps.map(({ first, last }) => ({ first: BigInt(first), last: BigInt(last) }));
        byChannel.set(id, { upto: BigInt(upto), highest: BigInt(highest), gaps: ranges });
      }
    }
    return byChannel;
  },
});
