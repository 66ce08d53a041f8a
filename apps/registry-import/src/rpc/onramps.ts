import { DomainError, notFound, type Violation } from '@saleschannel/errors';
import { accountHolderOf, type Call, type Rpc, type SentTo } from '@saleschannel/grpc';
import { idempotencyKey, idToFind, parameters, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { AccountHolder } from '../domain/account-holder.ts';
import {
  ACCOUNT_HOLDER_SUSPENDED,
  NOT_ONBOARDED,
  OWN_HOLDER_SUSPENDED,
  SALES_CHANNEL_SUSPENDED,
  toRefusal,
} from '../domain/refusals.ts';
import { findOnboardedTraders, findSuspendedChannels } from '../neighbours/sales-channels.ts';
import { findById } from '../store/account-holders.ts';

const MAX_ASSETS = 1_000;

const onrampRequest = z.object({
  idempotencyKey,
  salesChannelId: z.string(),
  assets: z
    .array(z.object({ start: z.string(), end: z.string() }))
    .min(1)
    .max(MAX_ASSETS),
});

const onrampParameters = parameters({ idempotencyKey: 'Idempotency-Key' });

const readOnramp = (request: unknown): z.output<typeof onrampRequest> =>
  parse(onrampRequest, request, 'The onramp is not valid.', onrampParameters);

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

interface Onramp {
  readonly holder: AccountHolder;
  readonly selection: z.output<typeof onrampRequest>;
  /** Refusal for a suspended account holder. */
  readonly suspension: Violation;
}

/**
 * Moves certificates into a sales channel. The ledger checks the selections, and answers a repeat of the key with the
 * stored result, even if the onramp would now be refused.
 * @param send calls the ledger on behalf of the caller
 */
export async function moveCertificates<Result>(
  context: Context,
  { holder, selection, suspension }: Onramp,
  call: Call,
  send: (request: SentTo<'ledger.Onramp'>) => Promise<Result>,
): Promise<Result> {
  const { traderId, refusal } = await decide(context, holder, selection.salesChannelId, suspension, call);
  try {
    return await send({ accountHolderId: holder.id, traderId, ...selection });
  } catch (error) {
    const isNew = error instanceof DomainError && error.code === 'not-found';
    throw refusal && isNew ? toRefusal(refusal) : error;
  }
}

export const onramp: Rpc<'registryImport.Onramp', Context> = (context) => async (message, call) => {
  const selection = readOnramp(message);
  const holder = await findById(context.database.em(), idToFind(message.accountHolderId));
  if (!holder) throw notFound();
  return moveCertificates(context, { holder, selection, suspension: ACCOUNT_HOLDER_SUSPENDED }, call, (request) =>
    context.ledger.Onramp(request, { within: call, forPrincipal: true }),
  );
};

export const onrampHoldings: Rpc<'holderPortal.OnrampHoldings', Context> = (context) => async (message, call) => {
  const selection = readOnramp(message);
  const holder = await findById(context.database.em(), accountHolderOf(call));
  if (!holder) throw notFound();
  return moveCertificates(context, { holder, selection, suspension: OWN_HOLDER_SUSPENDED }, call, (request) =>
    context.holdings.OnrampHoldings(request, { within: call, forPrincipal: true }),
  );
};
