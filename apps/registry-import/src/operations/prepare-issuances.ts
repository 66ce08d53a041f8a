import type { Issuance } from '@saleschannel/contracts/gen/inventory/v1/Issuance';
import type { Violation } from '@saleschannel/errors';
import type { CallOptions } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { defaultCreditTypeId } from '../domain/credit-type-id.ts';
import { findByBusinessIds, findByIds } from '../store/account-holders.ts';
import { onboardedTraders, traderKey } from './onboarded-traders.ts';

/** An issuance as the registry sends it: the account holder by its id or by its business id. */
export interface IssuanceOrder {
  readonly issuance: Issuance;
  readonly accountHolderBusinessId: string | undefined;
}

export type PreparedIssuance =
  | { readonly issuance: Issuance }
  /** `mayCome`: the record that it refers to may still come, in a later line of an import. */
  | { readonly fault: Violation; readonly mayCome: boolean };

export const UNKNOWN_ACCOUNT_HOLDER: Violation = {
  pointer: '#/accountHolderId',
  code: 'unknown-account-holder',
  detail: 'There is no such account holder.',
};

export const NO_TRADER: Violation = {
  pointer: '#/salesChannelId',
  code: 'not-onboarded',
  detail: 'The account holder has no accepted trader in this sales channel.',
};

/** Fills in what the ledger needs and this service knows: account holder, its trader in the sales channel, credit type id. In the order of the request. */
export async function prepareIssuances(
  context: Context,
  orders: readonly IssuanceOrder[],
  options: CallOptions,
): Promise<PreparedIssuance[]> {
  const holderIds = await findHolderIds(context, orders);
  const listings = orders.flatMap(({ issuance }, index) => {
    const accountHolderId = holderIds[index];
    return accountHolderId && issuance.salesChannelId
      ? [{ accountHolderId, salesChannelId: issuance.salesChannelId }]
      : [];
  });
  const traders = await onboardedTraders(context, listings, options);
  return orders.map(({ issuance }, index) => {
    const accountHolderId = holderIds[index];
    if (!accountHolderId) return { fault: UNKNOWN_ACCOUNT_HOLDER, mayCome: true };
    const { salesChannelId, traderId: _, ...rest } = issuance;
    const complete = {
      ...rest,
      // The form in which the ledger keeps it: a UUID means the same in both cases.
      issuanceId: (issuance.issuanceId ?? '').toLowerCase(),
      accountHolderId,
      creditTypeId: issuance.creditTypeId || defaultCreditTypeId(issuance.creditType ?? ''),
    };
    if (!salesChannelId) return { issuance: complete };
    const traderId = traders.get(traderKey({ accountHolderId, salesChannelId }));
    return traderId ? { issuance: { ...complete, salesChannelId, traderId } } : { fault: NO_TRADER, mayCome: false };
  });
}

async function findHolderIds(context: Context, orders: readonly IssuanceOrder[]): Promise<(string | undefined)[]> {
  const em = context.database.em();
  const ids = orders.flatMap((order) =>
    order.accountHolderBusinessId === undefined ? [order.issuance.accountHolderId ?? ''] : [],
  );
  const businessIds = orders.flatMap((order) => order.accountHolderBusinessId ?? []);
  const byId = new Set(ids.length === 0 ? [] : (await findByIds(em, ids)).map((holder) => holder.id));
  const idOf = new Map(
    businessIds.length === 0
      ? []
      : (await findByBusinessIds(em, businessIds)).map((holder) => [holder.businessId, holder.id]),
  );
  return orders.map(({ issuance, accountHolderBusinessId }) => {
    if (accountHolderBusinessId !== undefined) return idOf.get(accountHolderBusinessId);
    return issuance.accountHolderId && byId.has(issuance.accountHolderId) ? issuance.accountHolderId : undefined;
  });
}
