import type { Violation } from '@saleschannel/errors';
import type { CallOptions } from '@saleschannel/grpc';
import { isStorable, toComparisonKey } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import type { AccountHolder } from '../domain/account-holder.ts';
import { defaultCreditTypeId, type Issuance } from '../domain/records.ts';
import {
  ACCOUNT_HOLDER_SUSPENDED,
  NOT_ONBOARDED,
  SALES_CHANNEL_SUSPENDED,
  UNKNOWN_ACCOUNT_HOLDER,
} from '../domain/refusals.ts';
import { findOnboardedTraders, findSuspendedChannels } from '../neighbours/sales-channels.ts';
import { findByBusinessIds, findByIds } from '../store/account-holders.ts';

/** An issuance sent by the registry. */
export interface IssuanceOrder {
  readonly issuance: Issuance;
  /** Names the account holder if the issuance has no id. */
  readonly accountHolderBusinessId?: string | undefined;
}

/** An issuance for the ledger. Sales channel and trader are both present, or neither. */
export interface CompleteIssuance extends Issuance {
  readonly accountHolderId: string;
  readonly creditTypeId: string;
  readonly traderId?: string | undefined;
}

export type PreparedIssuance<Order extends IssuanceOrder> =
  | { readonly order: Order; readonly issuance: CompleteIssuance }
  /** `isRetryable`: a later line of the import may bring the missing record. */
  | { readonly order: Order; readonly fault: Violation; readonly isRetryable: boolean };

/**
 * Adds the account holder, its trader in the sales channel and the credit type id. Returns results in the order of the
 * request.
 */
export async function prepareIssuances<Order extends IssuanceOrder>(
  context: Pick<Context, 'database' | 'traders' | 'rbac'>,
  orders: readonly Order[],
  options: CallOptions,
): Promise<PreparedIssuance<Order>[]> {
  if (orders.length === 0) return [];
  const findHolder = await findHolders(context, orders);
  const found = orders.map((order) => ({ order, holder: findHolder(order) }));
  const listings = found.flatMap(({ order, holder }) => {
    const { salesChannelId } = order.issuance;
    return holder && salesChannelId ? [{ accountHolderId: holder.id, salesChannelId }] : [];
  });
  const channelIds = listings.map(({ salesChannelId }) => salesChannelId);
  const [traders, suspendedChannels] = await Promise.all([
    findOnboardedTraders(context, listings, options),
    findSuspendedChannels(context, channelIds, options),
  ]);
  return found.map(({ order, holder }): PreparedIssuance<Order> => {
    const { salesChannelId, ...issuance } = order.issuance;
    if (!holder) {
      const named = order.accountHolderBusinessId === undefined ? 'accountHolderId' : 'accountHolderBusinessId';
      return { order, fault: { ...UNKNOWN_ACCOUNT_HOLDER, pointer: `#/${named}` }, isRetryable: true };
    }
    const accountHolderId = holder.id;
    const complete = {
      ...issuance,
      // UUIDs ignore case. The ledger stores lower case.
      issuanceId: issuance.issuanceId.toLowerCase(),
      accountHolderId,
      creditTypeId: issuance.creditTypeId ?? defaultCreditTypeId(issuance.creditType),
    };
    if (!salesChannelId) return { order, issuance: complete };
    // A suspended account holder can receive issuances, but not list them on a sales channel.
    if (holder.status === 'SUSPENDED') return { order, fault: ACCOUNT_HOLDER_SUSPENDED, isRetryable: false };
    if (suspendedChannels.has(salesChannelId)) return { order, fault: SALES_CHANNEL_SUSPENDED, isRetryable: false };
    const traderId = traders.traderIdOf({ accountHolderId, salesChannelId });
    if (!traderId) return { order, fault: NOT_ONBOARDED, isRetryable: false };
    return { order, issuance: { ...complete, salesChannelId, traderId } };
  });
}

/** Looks up the account holders of all orders, by id and by business id. */
async function findHolders(
  { database }: Pick<Context, 'database'>,
  orders: readonly IssuanceOrder[],
): Promise<(order: IssuanceOrder) => AccountHolder | undefined> {
  const byName = orders.flatMap(({ accountHolderBusinessId }) => accountHolderBusinessId ?? []);
  const byId = orders.flatMap(({ issuance, accountHolderBusinessId }) =>
    accountHolderBusinessId === undefined ? (issuance.accountHolderId ?? []) : [],
  );
  const em = database.em();
  const holdersById = new Map((await findByIds(em, byId.filter(isStorable))).map((holder) => [holder.id, holder]));
  const holdersByName = new Map(
    (await findByBusinessIds(em, byName.filter(isStorable))).map((holder) => [
      toComparisonKey(holder.businessId),
      holder,
    ]),
  );
  return ({ issuance: { accountHolderId }, accountHolderBusinessId }) => {
    if (accountHolderBusinessId !== undefined) return holdersByName.get(toComparisonKey(accountHolderBusinessId));
    return accountHolderId === undefined ? undefined : holdersById.get(accountHolderId);
  };
}
