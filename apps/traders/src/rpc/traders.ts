import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc, type ResponseOf } from '@saleschannel/grpc';
import {
  idempotencyKey,
  MAX_NAME_LENGTH,
  searchText,
  text,
  idToFind,
  parameters,
  parse,
  readChannelPage,
  readListOrder,
  idsToFind,
} from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { parseTraderPatch, legalEntity } from '../domain/trader.ts';
import { createTrader as create, updateTrader as update } from '../operations/traders.ts';
import {
  findTrader,
  selectTraders,
  findNamedParties,
  findOnboardedParties,
  findParties,
  findTradersOfHolder as find,
  type PartyRow,
} from '../store/traders.ts';

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

const traderFilter = z.object({
  namePrefix: searchText.optional(),
  namePart: searchText.optional(),
  businessId: text({ min: 1, max: MAX_NAME_LENGTH }).optional(),
});

/** @throws DomainError 'invalid-request' that names the parameter */
const readTraderFilter = (filter: unknown): z.output<typeof traderFilter> =>
  parse(traderFilter, filter ?? {}, 'The list cannot be filtered this way.', () => ({ parameter: '$filter' }));

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

type PartyMessage = NonNullable<ResponseOf<'traderDirectory.GetParties'>['parties']>[number];

const toPartyMessage = ({ salesChannelId, traderId, accountHolderId }: PartyRow): PartyMessage =>
  accountHolderId === null ? { salesChannelId, traderId } : { salesChannelId, traderId, accountHolderId };

const traderKeys = z.object({ keys: idsToFind({ salesChannelId: z.string(), traderId: z.string() }) });
const holderKeys = z.object({ keys: idsToFind({ accountHolderId: z.string(), salesChannelId: z.string() }) });
const INVALID_KEYS = 'The keys cannot be looked up.';

/** Every transfer waits for this. */
export const getParties: Rpc<'traderDirectory.GetParties', Context> =
  ({ database }) =>
  async (request) => {
    const { keys } = parse(traderKeys, request, INVALID_KEYS);
    return { parties: (await findParties(database.em(), keys)).map(toPartyMessage) };
  };

/** Separate from GetParties, so that transfers do not read names. */
export const describeParties: Rpc<'traderDirectory.DescribeParties', Context> =
  ({ database }) =>
  async (request) => {
    const { keys } = parse(traderKeys, request, INVALID_KEYS);
    const parties = await findNamedParties(database.em(), keys);
    return { parties: parties.map(({ name, ...party }) => ({ ...toPartyMessage(party), name })) };
  };

export const findOnboardedTraders: Rpc<'traderDirectory.FindOnboardedTraders', Context> =
  ({ database }) =>
  async (request) => {
    const { keys } = parse(holderKeys, request, INVALID_KEYS);
    return { parties: (await findOnboardedParties(database.em(), keys)).map(toPartyMessage) };
  };

export const findTradersOfHolder: Rpc<'traderDirectory.FindTradersOfHolder', Context> =
  ({ database }) =>
  async ({ accountHolderId }) => ({
    parties: (await find(database.em(), idToFind(accountHolderId))).map(toPartyMessage),
  });
