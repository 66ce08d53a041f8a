import { unavailable } from '@saleschannel/errors';
import type { ResponseOf, Rpc } from '@saleschannel/grpc';
import { readOutboxState } from '@saleschannel/messaging';
import { id, idToFind, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { countSequences } from '../domain/reconciliation.ts';
import type { ConsumerState } from '../operations/reconcile.ts';
import { countListed, countPending, countReserved, findRecordsByName, findRecordsById } from '../store/operator.ts';
import { countChanges } from '../store/status-changes.ts';

/** RPCs for operators, and the counts that decide whether a sales channel can be closed. */

export const lookUp: Rpc<'lookUp.LookUp', Context> =
  ({ database }) =>
  async ({ id: text, names }) => {
    const [em, idOrName] = [database.em(), idToFind(text)];
    return {
      things: [...(await findRecordsById(em, idOrName)), ...(names ? await findRecordsByName(em, idOrName) : [])],
    };
  };

export const getActivity: Rpc<'activity.GetActivity', Context> =
  ({ database }) =>
  async () => {
    const [outbox, changes] = await Promise.all([readOutboxState(database.em()), countChanges(database.em())]);
    return { outbox, changes };
  };

/** Reads the primary: closing a channel depends on the counts, and a standby may lag behind. */
export const countChannelUse: Rpc<'channelUse.CountChannelUse', Context> =
  ({ database }) =>
  async (request) => {
    const salesChannelId = idToFind(request.salesChannelId);
    const [pendingTransactions, reservedBundles, listedBundles] = await Promise.all(
      [countPending, countReserved, countListed].map((count) => count(database.em(), salesChannelId)),
    );
    return { pendingTransactions, reservedBundles, listedBundles };
  };

const MAX_CHANNELS = 1_000;

const reconcileSchema = z.object({ salesChannelId: id.optional(), onlyLook: z.boolean() });

type ConsumerMessage = NonNullable<ResponseOf<'reconciliation.Reconcile'>['consumers']>[number];

export const reconcile: Rpc<'reconciliation.Reconcile', Context> =
  ({ reconciler }) =>
  async (request, { signal }) => {
    const { salesChannelId, onlyLook } = parse(reconcileSchema, request, 'The ledger cannot be compared this way.');
    const found = await reconciler.run({ salesChannelId, onlyLook, isUrgent: true, signal });
    if (!found) throw unavailable(new Error('another replica is comparing the ledger with its consumers'));
    return { consumers: found.consumers.map(toConsumerMessage), hasMore: found.hasMore };
  };

const toConsumerMessage = (state: ConsumerState): ConsumerMessage => ({
  consumer: state.consumer,
  ...(state.fault ? { fault: state.fault.message } : {}),
  lagEntries: String(state.lagEntries),
  lagSeconds: state.lagSeconds,
  republished: state.republished,
  isComplete: state.isComplete,
  channels: state.differences.slice(0, MAX_CHANNELS).map(({ salesChannelId, last, upto, highest, missing }) => ({
    salesChannelId,
    last: String(last),
    upto: String(upto),
    highest: String(highest),
    missing: String(countSequences(missing)),
  })),
});
