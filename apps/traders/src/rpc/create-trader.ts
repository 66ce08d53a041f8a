import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idempotencyKey, parameters, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { legalEntity } from '../domain/trader.ts';
import { createTrader as create } from '../operations/create-trader.ts';

const requestSchema = legalEntity.extend({ idempotencyKey });
const place = parameters({ idempotencyKey: 'Idempotency-Key' });

export const createTrader: Rpc<'traders.CreateTrader', Context> =
  ({ database }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const { idempotencyKey: key, ...entity } = parse(requestSchema, request, 'The trader is not valid.', place);
    return create(database, salesChannelId, key, entity, actorOf(call));
  };
