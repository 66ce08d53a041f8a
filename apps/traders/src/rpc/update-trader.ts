import type { Trader } from '@saleschannel/contracts/gen/traders/v1/Trader';
import type { UpdateTraderRequest__Output } from '@saleschannel/contracts/gen/traders/v1/UpdateTraderRequest';
import { notFound } from '@saleschannel/errors';
import { salesChannelOf, type Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { parseTraderPatch } from '../domain/merge-patch.ts';
import { isStorable } from '../domain/trader.ts';
import { patchTrader } from '../store/traders.ts';

export const updateTrader =
  ({ database }: Context) =>
  async ({ traderId, mergePatchJson }: UpdateTraderRequest__Output, call: Call): Promise<Trader> => {
    const salesChannelId = salesChannelOf(call);
    const patch = parseTraderPatch(mergePatchJson);
    if (!isStorable(traderId)) throw notFound();
    const trader = await database.transaction((em) => patchTrader(em, salesChannelId, traderId, patch));
    if (!trader) throw notFound();
    return trader;
  };
