import { actorOf } from '@saleschannel/audit';
import { userOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { keyName } from '../domain/key.ts';
import { nameKey as name } from '../operations/name-key.ts';
import { keyDetailMessage } from './messages.ts';

const requestSchema = z.object({ name: keyName.optional() });

export const nameKey: Rpc<'identity.NameKey', Context> =
  ({ database }) =>
  async (request, call) => {
    const owner = userOf(call);
    const { name: wanted = null } = parse(requestSchema, request, 'The name is not valid.');
    return keyDetailMessage(await name(database, idToFind(request.id), wanted, owner, actorOf(call)));
  };
