import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idempotencyKey, idToFind, parameters, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { ACCOUNT_HOLDER_SUSPENDED, NOT_ONBOARDED, refusedFor, SALES_CHANNEL_SUSPENDED } from '../domain/refusals.ts';
import { findOnboardedTraders } from '../neighbours/onboarded-traders.ts';
import { findSuspendedChannels } from '../neighbours/sales-channels.ts';
import { findById } from '../store/account-holders.ts';

const ASSETS_AT_MOST = 1_000;

const requestSchema = z.object({
  idempotencyKey,
  accountHolderId: z.string(),
  salesChannelId: z.string(),
  assets: z
    .array(z.object({ start: z.string(), end: z.string() }))
    .min(1)
    .max(ASSETS_AT_MOST),
});

const place = parameters({ idempotencyKey: 'Idempotency-Key' });

/** The ledger checks the selections, and knows what the key has made. */
export const onramp: Rpc<'registryImport.Onramp', Context> = (context) => async (request, call) => {
  const { accountHolderId, salesChannelId, ...rest } = parse(requestSchema, request, 'The onramp is not valid.', place);
  const holder = await findById(context.database.em(), idToFind(accountHolderId));
  if (!holder) throw notFound();
  if (holder.status === 'SUSPENDED') throw refusedFor(ACCOUNT_HOLDER_SUSPENDED);
  const suspended = await findSuspendedChannels(context, [salesChannelId], { within: call });
  if (suspended.has(salesChannelId)) throw refusedFor(SALES_CHANNEL_SUSPENDED);
  const key = { accountHolderId, salesChannelId };
  const traderId = (await findOnboardedTraders(context, [key], { within: call })).traderIdOf(key);
  if (traderId === undefined) throw refusedFor(NOT_ONBOARDED);
  return context.ledger.Onramp({ ...key, traderId, ...rest }, { within: call, forPrincipal: true });
};
