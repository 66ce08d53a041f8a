import { DomainError, notFound, type Violation } from '@saleschannel/errors';
import type { Call, Rpc } from '@saleschannel/grpc';
import { idempotencyKey, idToFind, parameters, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { AccountHolder } from '../domain/account-holder.ts';
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

interface Judgement {
  /** To which certificates may move now. Empty when none may. */
  readonly traderId: string;
  readonly refusal?: Violation;
}

const refused = (refusal: Violation): Judgement => ({ traderId: '', refusal });

async function judge(
  context: Context,
  holder: AccountHolder,
  salesChannelId: string,
  within: Call,
): Promise<Judgement> {
  if (holder.status === 'SUSPENDED') return refused(ACCOUNT_HOLDER_SUSPENDED);
  const suspended = await findSuspendedChannels(context, [salesChannelId], { within });
  if (suspended.has(salesChannelId)) return refused(SALES_CHANNEL_SUSPENDED);
  const key = { accountHolderId: holder.id, salesChannelId };
  const traderId = (await findOnboardedTraders(context, [key], { within })).traderIdOf(key);
  return traderId === undefined ? refused(NOT_ONBOARDED) : { traderId };
}

/**
 * The ledger checks the selections, and knows what the key has made: repeating that is answered as before, also when
 * nothing more may move.
 */
export const onramp: Rpc<'registryImport.Onramp', Context> = (context) => async (request, call) => {
  const { accountHolderId, salesChannelId, ...rest } = parse(requestSchema, request, 'The onramp is not valid.', place);
  const holder = await findById(context.database.em(), idToFind(accountHolderId));
  if (!holder) throw notFound();
  const { traderId, refusal } = await judge(context, holder, salesChannelId, call);
  const asked = { accountHolderId, salesChannelId, traderId, ...rest };
  try {
    return await context.ledger.Onramp(asked, { within: call, forPrincipal: true });
  } catch (error) {
    const hasMadeNothing = error instanceof DomainError && error.code === 'not-found';
    throw refusal && hasMadeNothing ? refusedFor(refusal) : error;
  }
};
