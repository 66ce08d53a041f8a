import type { TransferRequested } from '@saleschannel/contracts';
import type { Holding } from './bundle.ts';

/** A requested trade, retirement or offramp, as far as the rules need it. */
export type Transfer = {
  readonly salesChannelId: string;
  readonly sellerId: string;
} & (
  | { readonly type: 'TRADE'; readonly buyerId: string }
  | { readonly type: 'RETIREMENT' }
  /** Returns the certificates to the account holder of the seller. */
  | { readonly type: 'OFFRAMP'; readonly sellerAccountHolderId: string }
);

/** Holding of the certificates after success. */
export function toDestination(transfer: Transfer): Holding {
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

/** Holding of the certificates until the seller's approval. */
export const toReservation = ({ salesChannelId, sellerId }: Transfer): Holding => ({
  ownerId: sellerId,
  salesChannelId,
  state: 'RESERVED',
});

/** Holding of the certificates before the transfer, and after its failure. */
export const toOrigin = ({ salesChannelId, sellerId }: Transfer): Holding => ({
  ownerId: sellerId,
  salesChannelId,
  state: 'LISTABLE',
});

/** Texts of this length count as one selection. The texts of a usual transfer are shorter. */
const CHARACTERS_PER_SELECTION = 1_024;

/** Cost of settling a transfer: its selections, or the size of its other texts, such as metadata, if that is larger. */
export function estimateTransferCost(transfer: TransferRequested): number {
  let characters = 0;
  for (const [name, value] of Object.entries(transfer)) if (name !== 'assets') characters += countCharacters(value);
  return Math.max(transfer.assets.length, Math.ceil(characters / CHARACTERS_PER_SELECTION));
}

function countCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let characters = 0;
  for (const [name, member] of Object.entries(value)) characters += name.length + countCharacters(member);
  return characters;
}
