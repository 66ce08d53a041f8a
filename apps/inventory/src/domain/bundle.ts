import type { SerialForm } from '@saleschannel/primitives';

export type BundleState = 'HELD' | 'LISTABLE' | 'RESERVED' | 'RETIRED' | 'OFFRAMPED';

/** Who holds a bundle: a trader in a sales channel, or an account holder outside of any. */
export interface Holding {
  readonly ownerId: string;
  /** Undefined outside of any sales channel. */
  readonly salesChannelId: string | undefined;
  readonly state: BundleState;
}

/** What the rules need of an issuance. */
export interface IssuanceTerms {
  readonly issuanceId: string;
  readonly form: SerialForm;
  readonly expired: boolean;
}

/** An inclusive range of one issuance with one owner and one state. */
export interface Bundle extends Holding {
  /** Undefined until the store has given one. */
  id: string | undefined;
  readonly issuance: IssuanceTerms;
  first: bigint;
  last: bigint;
  ownerId: string;
  salesChannelId: string | undefined;
  state: BundleState;
}
