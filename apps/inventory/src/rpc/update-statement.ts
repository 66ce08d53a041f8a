import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { date, idToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { publications } from '../domain/statement.ts';
import { updateStatement as update } from '../operations/update-statement.ts';
import { documentOf } from './messages.ts';

const changeSchema = z.object({
  publication: z.enum(publications).optional(),
  beneficiaryHiddenUntil: z
    .literal('')
    .transform(() => null)
    .or(date)
    .optional(),
});

export const updateStatement: Rpc<'inventory.UpdateStatement', Context> = (context) => async (request, call) => {
  const transactionId = idToFind(request.transactionId);
  const { publication, beneficiaryHiddenUntil } = parse(changeSchema, request, 'The statement is not valid.');
  const statement = await update(context, {
    salesChannelId: salesChannelOf(call),
    transactionId,
    publication,
    beneficiaryHiddenUntil,
    actor: actorOf(call),
  });
  return documentOf(JSON.stringify(statement));
};
