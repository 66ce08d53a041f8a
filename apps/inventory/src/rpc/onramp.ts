import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { id, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { readSelections, selectionRefused } from '../domain/selection.ts';
import { onramp as move } from '../operations/onramp.ts';
import { registryTransaction } from './messages.ts';

const requestSchema = z.object({
  accountHolderId: id,
  salesChannelId: id,
  traderId: id,
  assets: z.array(z.object({ start: z.string(), end: z.string() })).min(1),
});

export const onramp: Rpc<'ledger.Onramp', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const { assets, ...parties } = parse(requestSchema, request, 'The onramp is not valid.');
    const read = readSelections(assets);
    if ('faults' in read) throw selectionRefused(read.faults);
    const transactionId = await move(database, clock, {
      ...parties,
      selections: read.selections,
      actor: actorOf(call),
    });
    return { transactionId, transaction: await registryTransaction(database, transactionId) };
  };
