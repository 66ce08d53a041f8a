import type { BundleState } from './bundle.ts';

/** What is the matter with a bundle, in the words of its account holder. */
export const holdingStates = ['UNLISTED', 'LISTED', 'RESERVED', 'RETIRED', 'OFFRAMPED'] as const;
export type HoldingState = (typeof holdingStates)[number];

/** Outside of any sales channel the account holder has them itself. On one its trader there has. */
export const holdingsOfHolder: readonly HoldingState[] = ['UNLISTED', 'OFFRAMPED'];
export const holdingsOfTrader: readonly HoldingState[] = ['LISTED', 'RESERVED', 'RETIRED'];

export const bundleStateOf = {
  UNLISTED: 'HELD',
  LISTED: 'LISTABLE',
  RESERVED: 'RESERVED',
  RETIRED: 'RETIRED',
  OFFRAMPED: 'OFFRAMPED',
} as const satisfies Record<HoldingState, BundleState>;

/** A trader that an account holder has become. It has one on each sales channel that has accepted it. */
export interface TraderOfHolder {
  readonly salesChannelId: string;
  readonly traderId: string;
}
