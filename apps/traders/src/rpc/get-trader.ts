import { notFound } from '@saleschannel/errors';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findTrader } from '../store/traders.ts';

export const getTrader: Rpc<'traders.GetTrader', Context> =
  ({ database }) =>
  async ({ traderId }, call) => {
    const trader = await findTrader(database.em(), salesChannelOf(call), idToFind(traderId));
    if (!trader) throw notFound();
    return trader;
  };
