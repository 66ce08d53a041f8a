import type { Rpc } from '@saleschannel/grpc';
import { idsToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findParties } from '../store/parties.ts';
import { partyMessage } from './messages.ts';

const requestSchema = z.object({ keys: idsToFind({ salesChannelId: z.string(), traderId: z.string() }) });

/** On the way of every transfer. */
export const getParties: Rpc<'traderDirectory.GetParties', Context> =
  ({ database }) =>
  async (request) => {
    const { keys } = parse(requestSchema, request, 'The keys cannot be looked up.');
    return { parties: (await findParties(database.em(), keys)).map(partyMessage) };
  };
