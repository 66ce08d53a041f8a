import type { Holding } from './bundle.ts';

/** A requested trade, retirement or offramp, as far as the rules need it. */
export type Transfer = {
  readonly salesChannelId: string;
  readonly sellerId: string;
} & (
  | { readonly type: 'TRADE'; readonly buyerId: string }
  | { readonly type: 'RETIREMENT' }
  /** The certificates go back to the account holder behind the seller. */
  | { readonly type: 'OFFRAMP'; readonly sellerAccountHolderId: string }
);

/** Where the certificates go when the transfer completes. */
export function destinationOf(transfer: Transfer): Holding {
  const { salesChannelId, sellerId } = transfer;
  switch (transfer.type) {
    case 'TRADE':
      return { ownerId: transfer.buyerId, salesChannelId, state: 'LISTABLE' };
    case 'RETIREMENT':
      return { ownerId: sellerId, salesChannelId, state: 'RETIRED' };
    case 'OFFRAMP':
      return { ownerId: transfer.sellerAccountHolderId, salesChannelId: undefined, state: 'OFFRAMPED' };
  }
}

/** Where the certificates wait for the seller's approval. */
export const reservationOf = ({ salesChannelId, sellerId }: Transfer): Holding => ({
  ownerId: sellerId,
  salesChannelId,
  state: 'RESERVED',
});

/** Where the certificates are before the transfer, and after one that did not succeed. */
export const originOf = ({ salesChannelId, sellerId }: Transfer): Holding => ({
  ownerId: sellerId,
  salesChannelId,
  state: 'LISTABLE',
});
