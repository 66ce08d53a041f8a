import { formatSerial } from '@saleschannel/primitives';
import type { BundleBook } from '../../src/domain/bundle-book.ts';
import type { Bundle, Holding, IssuanceTerms } from '../../src/domain/bundle.ts';
import type { Selection } from '../../src/domain/selection.ts';

export const terms = (issuanceId: string, width = 0, expired = false): IssuanceTerms => ({
  issuanceId,
  form: { width },
  expired,
});
export const plain = terms('plain');
/** An issuance with serials of the old form: 38 digits, too many for a JavaScript number. */
export const old = terms('old', 38);
export const OLD_START = 64_314_999_999_999_999_999_999_999_999_999_995n;

export const listed = (owner: string): Holding => ({ ownerId: owner, salesChannelId: 'c', state: 'LISTABLE' });
export const reservedFor = (owner: string): Holding => ({ ...listed(owner), state: 'RESERVED' });
export const retiredBy = (owner: string): Holding => ({ ...listed(owner), state: 'RETIRED' });
const LISTABLE = ['LISTABLE'] as const;
export const movableOf = (owner: string) => ({ ownerId: owner, salesChannelId: 'c', states: LISTABLE });

let nextId = 0;
export const newBundleId = (): string => String(++nextId);
export const createBundle = (issuance: IssuanceTerms, first: bigint, last: bigint, holding: Holding): Bundle => ({
  id: newBundleId(),
  issuance,
  first,
  last,
  ...holding,
});

export const createSelection = ({ issuanceId, form }: IssuanceTerms, first: bigint, last: bigint): Selection => ({
  issuanceId,
  first,
  last,
  firstText: formatSerial(first, form),
  lastText: formatSerial(last, form),
});

/** Changes of a book, as text. */
export const toChangesText = (book: BundleBook): string =>
  JSON.stringify(book.listChanged(), (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
