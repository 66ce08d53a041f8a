import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import {
  idempotencyKey,
  idToFind,
  parameters,
  parse,
  readChannelPage,
  readListOrder,
} from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readTraderFilter } from '../domain/list-filters.ts';
import { parseTraderPatch } from '../domain/merge-patch.ts';
import { legalEntity } from '../domain/trader.ts';
import { createTrader as create, updateTrader as update } from '../operations/traders.ts';
import { findTrader, selectTraders } from '../store/traders.ts';

const newTrader = legalEntity.extend({ idempotencyKey });
const newTraderParameters = parameters({ idempotencyKey: 'Idempotency-Key' });

export const createTrader: Rpc<'traders.CreateTrader', Context> =
  ({ database }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const { idempotencyKey: key, ...entity } = parse(
      newTrader,
      request,
      'The trader is not valid.',
      newTraderParameters,
    );
    return create(database, salesChannelId, key, entity, actorOf(call));
  };

export const updateTrader: Rpc<'traders.UpdateTrader', Context> =
  ({ database }) =>
  async ({ traderId, mergePatchJson }, call) => {
    const salesChannelId = salesChannelOf(call);
    const patch = parseTraderPatch(mergePatchJson);
    return update(database, salesChannelId, idToFind(traderId), patch, actorOf(call));
  };

export const getTrader: Rpc<'traders.GetTrader', Context> =
  ({ database }) =>
  async ({ traderId }, call) => {
    const trader = await findTrader(database.em(), salesChannelOf(call), idToFind(traderId));
    if (!trader) throw notFound();
    return trader;
  };

export const listTraders: Rpc<'traders.ListTraders', Context> = ({ reads }) =>
  async function* (request, call) {
    const [salesChannelId, reader] = [salesChannelOf(call), readerOf(call)];
    const filter = readTraderFilter(request.filter);
    const pages = reads.list(reader, (em, page) => selectTraders(em, salesChannelId, filter, page));
    for await (const traders of pages) yield* traders;
  };

export const pageTraders: Rpc<'traders.PageTraders', Context> =
  ({ reads }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const filter = readTraderFilter(request.filter);
    const page = readChannelPage(request.page);
    const order = readListOrder(request.order, ['createdAt', 'name']);
    const { rows, next } = await reads.page(readerOf(call), (em) =>
      selectTraders(em, salesChannelId, filter, page, order),
    );
    return { traders: rows, next, ordered: order !== undefined };
  };
