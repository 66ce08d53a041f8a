import { DomainError, type Violation } from '@saleschannel/errors';
import type { Call, SentTo } from '@saleschannel/grpc';
import { idempotencyKey, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { AccountHolder } from '../domain/account-holder.ts';
import { NOT_ONBOARDED, refusedFor, SALES_CHANNEL_SUSPENDED } from '../domain/refusals.ts';
import { findOnboardedTraders } from '../neighbours/onboarded-traders.ts';
import { findSuspendedChannels } from '../neighbours/sales-channels.ts';

const ASSETS_AT_MOST = 1_000;

const requestSchema = z.object({
  idempotencyKey,
  salesChannelId: z.string(),
  assets: z
    .array(z.object({ start: z.string(), end: z.string() }))
    .min(1)
    .max(ASSETS_AT_MOST),
});

const place = parameters({ idempotencyKey: 'Idempotency-Key' });

/** What to move, and where to. @throws DomainError 'invalid-request' that names the member */
export const readOnramp = (request: unknown): z.output<typeof requestSchema> =>
  parse(requestSchema, request, 'The onramp is not valid.', place);

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
  suspension: Violation,
  within: Call,
): Promise<Judgement> {
  if (holder.status === 'SUSPENDED') return refused(suspension);
  const suspended = await findSuspendedChannels(context, [salesChannelId], { within });
  if (suspended.has(salesChannelId)) return refused(SALES_CHANNEL_SUSPENDED);
  const key = { accountHolderId: holder.id, salesChannelId };
  const traderId = (await findOnboardedTraders(context, [key], { within })).traderIdOf(key);
  return traderId === undefined ? refused(NOT_ONBOARDED) : { traderId };
}

export interface Onramp {
  readonly holder: AccountHolder;
  readonly asked: z.output<typeof requestSchema>;
  /** How it is said that the account holder is suspended. */
  readonly suspension: Violation;
}

/**
 * Has certificates moved into a sales channel. The ledger checks the selections, and knows what the key has made:
 * repeating that is answered as before, also when nothing more may move.
 * @param move asks the ledger, in the name of whoever calls
 */
export async function onramp<Made>(
  context: Context,
  { holder, asked, suspension }: Onramp,
  call: Call,
  move: (request: SentTo<'ledger.Onramp'>) => Promise<Made>,
): Promise<Made> {
  const { traderId, refusal } = await judge(context, holder, asked.salesChannelId, suspension, call);
  try {
    return await move({ accountHolderId: holder.id, traderId, ...asked });
  } catch (error) {
    const hasMadeNothing = error instanceof DomainError && error.code === 'not-found';
    throw refusal && hasMadeNothing ? refusedFor(refusal) : error;
  }
}
