import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { countListed, countPending, countReserved } from '../store/channel-use.ts';

/** Reads the primary: a sales channel is closed by it, and a copy may be behind. */
export const countChannelUse: Rpc<'channelUse.CountChannelUse', Context> =
  ({ database }) =>
  async (request) => {
    const salesChannelId = idToFind(request.salesChannelId);
    const [pendingTransactions, reservedBundles, listedBundles] = await Promise.all(
      [countPending, countReserved, countListed].map((count) => count(database.em(), salesChannelId)),
    );
    return { pendingTransactions, reservedBundles, listedBundles };
  };
