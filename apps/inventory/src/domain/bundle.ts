import type { SerialForm } from '@saleschannel/primitives';

export type BundleState = 'HELD' | 'LISTABLE' | 'RESERVED' | 'RETIRED' | 'OFFRAMPED';

/** Owner and state of a bundle. The owner is a trader within a sales channel, and an account holder outside. */
export interface Holding {
  readonly ownerId: string;
  /** Undefined outside of sales channels. */
  readonly salesChannelId: string | undefined;
  readonly state: BundleState;
}

/** The issuance of a bundle, as far as the rules need it. */
export interface IssuanceTerms {
  readonly issuanceId: string;
  readonly form: SerialForm;
  readonly expired: boolean;
}

/** An inclusive range of one issuance with one owner and one state. */
export interface Bundle extends Holding {
  /** Undefined until the store assigns one. */
  id: string | undefined;
  readonly issuance: IssuanceTerms;
  first: bigint;
  last: bigint;
  ownerId: string;
  salesChannelId: string | undefined;
  state: BundleState;
}

/**
 * Disjoint bundles by issuance and first serial. Remove a bundle before changing its first serial, then put it back.
 */
export class BundleIndex {
  /** The bundles of each issuance, by serial. */
  readonly #byIssuance = new Map<string, Bundle[]>();

  put(bundle: Bundle): void {
    const { issuanceId } = bundle.issuance;
    const bundles = this.#byIssuance.get(issuanceId);
    if (bundles) bundles.splice(findIndex(bundles, bundle.first), 0, bundle);
    else this.#byIssuance.set(issuanceId, [bundle]);
  }

  remove(bundle: Bundle): void {
    const bundles = this.#byIssuance.get(bundle.issuance.issuanceId) ?? [];
    const index = findIndex(bundles, bundle.first);
    if (bundles[index] === bundle) bundles.splice(index, 1);
  }

  findStartingAt(issuanceId: string, first: bigint): Bundle | undefined {
    const bundles = this.#byIssuance.get(issuanceId) ?? [];
    const bundle = bundles[findIndex(bundles, first)];
    return bundle?.first === first ? bundle : undefined;
  }

  /** Returns the bundle that contains the certificate. */
  findContaining(issuanceId: string, serial: bigint): Bundle | undefined {
    const bundles = this.#byIssuance.get(issuanceId) ?? [];
    const bundle = bundles[findIndex(bundles, serial + 1n) - 1];
    return bundle && serial <= bundle.last ? bundle : undefined;
  }
}

/** Index at which a bundle with this first serial is, or would be inserted. */
function findIndex(bundles: readonly Bundle[], first: bigint): number {
  let [low, high] = [0, bundles.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const bundle = bundles[middle];
    if (bundle && bundle.first < first) low = middle + 1;
    else high = middle;
  }
  return low;
}

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
