import type { BundleState } from './bundle.ts';

/** States of bundles, as account holders see them. */
export const holdingStates = ['UNLISTED', 'LISTED', 'RESERVED', 'RETIRED', 'OFFRAMPED'] as const;
export type HoldingState = (typeof holdingStates)[number];

/** States of bundles of the account holder itself, outside of sales channels. */
export const holderStates: readonly HoldingState[] = ['UNLISTED', 'OFFRAMPED'];
/** States of bundles of its traders, within sales channels. */
export const traderStates: readonly HoldingState[] = ['LISTED', 'RESERVED', 'RETIRED'];

export const bundleStates = {
  UNLISTED: 'HELD',
  LISTED: 'LISTABLE',
  RESERVED: 'RESERVED',
  RETIRED: 'RETIRED',
  OFFRAMPED: 'OFFRAMPED',
} as const satisfies Record<HoldingState, BundleState>;

/** A trader of an account holder: one in each sales channel that accepted it. */
export interface TraderOfHolder {
  readonly salesChannelId: string;
  readonly traderId: string;
}
