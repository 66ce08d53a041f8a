import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { id, idempotencyKey, parameters, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { readSelections, selectionRefused } from '../domain/selection.ts';
import { onramp as move } from '../operations/onramp.ts';
import { registryTransaction } from './messages.ts';

const requestSchema = z.object({
  idempotencyKey,
  accountHolderId: id,
  salesChannelId: id,
  traderId: z.preprocess((value) => (value === '' ? undefined : value), id.optional()),
  assets: z.array(z.object({ start: z.string(), end: z.string() })).min(1),
});

const place = parameters({ idempotencyKey: 'Idempotency-Key' });

export const onramp: Rpc<'ledger.Onramp', Context> =
  ({ database, clock }) =>
  async (request, call) => {
    const {
      assets,
      idempotencyKey: key,
      traderId,
      ...rest
    } = parse(requestSchema, request, 'The onramp is not valid.', place);
    const read = readSelections(assets);
    if ('faults' in read) throw selectionRefused(read.faults);
    const asked = { ...rest, traderId, selections: read.selections, actor: actorOf(call) };
    const { transactionId, replayed } = await move(database, clock, asked, key);
    return { transactionId, transaction: await registryTransaction(database, transactionId), replayed };
  };
