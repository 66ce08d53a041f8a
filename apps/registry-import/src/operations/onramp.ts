import { DomainError, type Violation } from '@saleschannel/errors';
import type { Call, SentTo } from '@saleschannel/grpc';
import { idempotencyKey, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { AccountHolder } from '../domain/account-holder.ts';
import { NOT_ONBOARDED, toRefusal, SALES_CHANNEL_SUSPENDED } from '../domain/refusals.ts';
import { findOnboardedTraders } from '../neighbours/onboarded-traders.ts';
import { findSuspendedChannels } from '../neighbours/sales-channels.ts';

const MAX_ASSETS = 1_000;

const requestSchema = z.object({
  idempotencyKey,
  salesChannelId: z.string(),
  assets: z
    .array(z.object({ start: z.string(), end: z.string() }))
    .min(1)
    .max(MAX_ASSETS),
});

const parameterNames = parameters({ idempotencyKey: 'Idempotency-Key' });

/** Parses an onramp. @throws DomainError 'invalid-request' */
export const readOnramp = (request: unknown): z.output<typeof requestSchema> =>
  parse(requestSchema, request, 'The onramp is not valid.', parameterNames);

interface Decision {
  /** Receiving trader. Empty if the onramp is refused. */
  readonly traderId: string;
  readonly refusal?: Violation;
}

const refused = (refusal: Violation): Decision => ({ traderId: '', refusal });

async function decide(
  context: Context,
  holder: AccountHolder,
  salesChannelId: string,
  suspension: Violation,
  within: Call,
): Promise<Decision> {
  if (holder.status === 'SUSPENDED') return refused(suspension);
  const suspended = await findSuspendedChannels(context, [salesChannelId], { within });
  if (suspended.has(salesChannelId)) return refused(SALES_CHANNEL_SUSPENDED);
  const key = { accountHolderId: holder.id, salesChannelId };
  const traderId = (await findOnboardedTraders(context, [key], { within })).traderIdOf(key);
  return traderId === undefined ? refused(NOT_ONBOARDED) : { traderId };
}

export interface Onramp {
  readonly holder: AccountHolder;
  readonly selection: z.output<typeof requestSchema>;
  /** Refusal for a suspended account holder. */
  readonly suspension: Violation;
}

/**
 * Moves certificates into a sales channel. The ledger checks the selections, and answers a repeat of the key with the
 * stored result, even if the onramp would now be refused.
 * @param move calls the ledger on behalf of the caller
 */
export async function onramp<Result>(
  context: Context,
  { holder, selection, suspension }: Onramp,
  call: Call,
  move: (request: SentTo<'ledger.Onramp'>) => Promise<Result>,
): Promise<Result> {
  const { traderId, refusal } = await decide(context, holder, selection.salesChannelId, suspension, call);
  try {
    return await move({ accountHolderId: holder.id, traderId, ...selection });
  } catch (error) {
    const isNew = error instanceof DomainError && error.code === 'not-found';
    throw refusal && isNew ? toRefusal(refusal) : error;
  }
}
