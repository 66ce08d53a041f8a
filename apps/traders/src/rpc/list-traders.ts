import type { ListTradersRequest__Output } from '@saleschannel/contracts/gen/traders/v1/ListTradersRequest';
import type { Trader } from '@saleschannel/contracts/gen/traders/v1/Trader';
import { salesChannelOf, type Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import * as store from '../store/traders.ts';

export const listTraders =
  ({ database }: Context) =>
  (_request: ListTradersRequest__Output, call: Call): AsyncIterable<Trader> =>
    store.listTraders(database, salesChannelOf(call));
