import { unavailable } from '@saleschannel/errors';
import type { ResponseOf, Rpc } from '@saleschannel/grpc';
import { id, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { sizeOf } from '../domain/reconciliation.ts';
import type { ConsumerState } from '../operations/reconcile.ts';

const CHANNELS_AT_MOST = 1_000;

const requestSchema = z.object({ salesChannelId: id.optional(), onlyLook: z.boolean() });

type ConsumerMessage = NonNullable<ResponseOf<'reconciliation.Reconcile'>['consumers']>[number];

export const reconcile: Rpc<'reconciliation.Reconcile', Context> =
  ({ reconciler }) =>
  async (request, { signal }) => {
    const wanted = parse(requestSchema, request, 'The ledger cannot be compared this way.');
    const found = await reconciler.run({ ...wanted, isUrgent: true, signal });
    if (!found) throw unavailable(new Error('another replica compares the ledger with its consumers at this moment'));
    return { consumers: found.consumers.map(message), hasMore: found.hasMore };
  };

const message = (state: ConsumerState): ConsumerMessage => ({
  consumer: state.consumer,
  ...(state.fault ? { fault: state.fault.message } : {}),
  lagEntries: String(state.lagEntries),
  lagSeconds: state.lagSeconds,
  republished: state.republished,
  isComplete: state.isComplete,
  channels: state.differences.slice(0, CHANNELS_AT_MOST).map(({ salesChannelId, last, upto, highest, missing }) => ({
    salesChannelId,
    last: String(last),
    upto: String(upto),
    highest: String(highest),
    missing: String(sizeOf(missing)),
  })),
});
