import type { Rpc } from '@saleschannel/grpc';
import { idsToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findNamedParties } from '../store/parties.ts';
import { partyMessage } from './messages.ts';

const requestSchema = z.object({ keys: idsToFind({ salesChannelId: z.string(), traderId: z.string() }) });

/** Apart from GetParties, which every transfer waits for. */
export const describeParties: Rpc<'traderDirectory.DescribeParties', Context> =
  ({ database }) =>
  async (request) => {
    const { keys } = parse(requestSchema, request, 'The keys cannot be looked up.');
    const found = await findNamedParties(database.em(), keys);
    return { parties: found.map(({ name, ...party }) => ({ ...partyMessage(party), name })) };
  };
