import type { Rpc } from '@saleschannel/grpc';
import { idsToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findOnboarded } from '../store/parties.ts';
import { partyMessage } from './messages.ts';

const requestSchema = z.object({ keys: idsToFind({ accountHolderId: z.string(), salesChannelId: z.string() }) });

export const findOnboardedTraders: Rpc<'traderDirectory.FindOnboardedTraders', Context> =
  ({ database }) =>
  async (request) => {
    const { keys } = parse(requestSchema, request, 'The keys cannot be looked up.');
    return { parties: (await findOnboarded(database.em(), keys)).map(partyMessage) };
  };
