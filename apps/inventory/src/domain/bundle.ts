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
