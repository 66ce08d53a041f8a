import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { listTraders as list } from '../store/traders.ts';

export const listTraders: Rpc<'traders.ListTraders', Context> =
  ({ database }) =>
  (_request, call) =>
    list(database, salesChannelOf(call));
