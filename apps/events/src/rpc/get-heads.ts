import type { Rpc } from '@saleschannel/grpc';
import { body, idListToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { readHeads } from '../store/events.ts';

const requestSchema = z.object({ salesChannelIds: idListToFind });

export const getHeads: Rpc<'eventLog.GetHeads', Context> =
  ({ database }) =>
  async (request) => {
    const { salesChannelIds } = parse(requestSchema, request, 'The heads cannot be read this way.', body);
    const heads = await readHeads(database.em(), salesChannelIds);
    return { heads: [...heads].map(([salesChannelId, createdAt]) => ({ salesChannelId, createdAt })) };
  };
