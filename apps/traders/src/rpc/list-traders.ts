import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { readTraderFilter } from '../domain/list-filters.ts';
import { tradersOf } from '../store/trader-lists.ts';

export const listTraders: Rpc<'traders.ListTraders', Context> = ({ reads }) =>
  async function* (request, call) {
    const [salesChannelId, reader] = [salesChannelOf(call), readerOf(call)];
    const filter = readTraderFilter(request.filter);
    const pages = reads.list(reader, (em, part) => tradersOf(em, salesChannelId, filter, part));
    for await (const traders of pages) yield* traders;
  };
