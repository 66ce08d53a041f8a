import { notFound } from '@saleschannel/errors';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { parseTraderPatch } from '../domain/merge-patch.ts';
import { patchTrader } from '../store/traders.ts';

export const updateTrader: Rpc<'traders.UpdateTrader', Context> =
  ({ database }) =>
  async ({ traderId, mergePatchJson }, call) => {
    const salesChannelId = salesChannelOf(call);
    const patch = parseTraderPatch(mergePatchJson);
    const id = idToFind(traderId);
    const trader = await database.transaction((em) => patchTrader(em, salesChannelId, id, patch));
    if (!trader) throw notFound();
    return trader;
  };
