import type { ResponseOf, Rpc } from '@saleschannel/grpc';
import { idsToFind, idToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import {
  findNamedParties,
  findOnboardedParties,
  findParties,
  findTradersOfHolder as find,
  type PartyRow,
} from '../store/parties.ts';

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
