import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { kinds } from '../domain/account-holder.ts';
import { setKind as set } from '../operations/change-standing.ts';
import { accountHolderMessage } from './messages.ts';

const requestSchema = z.object({ accountHolderId: z.string(), kind: z.enum(kinds) });
const place = parameters({ kind: 'kind' });

export const setKind: Rpc<'accountHolderAdministration.SetKind', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const { accountHolderId, kind } = parse(requestSchema, request, 'The kind is not valid.', place);
    const accountHolder = await set(database, idToFind(accountHolderId), kind, actorOf(call));
    logger.info({ accountHolderId, kind }, 'kind of an account holder set');
    return accountHolderMessage(accountHolder);
  };
