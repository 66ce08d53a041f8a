import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { parseTraderPatch } from '../domain/merge-patch.ts';
import { updateTrader as update } from '../operations/update-trader.ts';

export const updateTrader: Rpc<'traders.UpdateTrader', Context> =
  ({ database }) =>
  async ({ traderId, mergePatchJson }, call) => {
    const salesChannelId = salesChannelOf(call);
    const patch = parseTraderPatch(mergePatchJson);
    return update(database, salesChannelId, idToFind(traderId), patch, actorOf(call));
  };
