import type { TransferRequested, TransferType } from '@saleschannel/contracts';
import { newId } from '@saleschannel/primitives';

type Requested<T extends TransferType> = Extract<TransferRequested, { type: T }>;

/** `[issuance id, first serial, last serial]` */
export type Part = readonly [issuanceId: string, first: string | number, last: string | number];

export const toSelection = ([issuanceId, first, last]: Part): { start: string; end: string } => ({
  start: `${issuanceId}_${first}`,
  end: `${issuanceId}_${last}`,
});

/** Channel of a trader. In tests, its id begins with the id of the channel: `c1-seller`. */
export const channelOf = (traderId: string): string => traderId.slice(0, traderId.indexOf('-'));

/** Account holder of a trader. */
export const holderOf = (traderId: string): string => `holder-of-${traderId}`;

/** Name of a trader. */
export const nameOf = (traderId: string): string => `Trader ${traderId}`;

const RETIREMENT: Requested<'RETIREMENT'>['retirement'] = {
  beneficiaryName: 'Ada',
  beneficiaryLocation: 'London',
  beneficiaryType: 'END_CONSUMER',
  consumptionCountryCode: 'GB',
  usageType: 'DISCLOSURE',
  consumptionPeriodStart: '2024-01-01T00:00:00Z',
  consumptionPeriodEnd: '2024-12-31T00:00:00Z',
  retirementPurpose: 'Travel',
};

const createTransfer = (sellerId: string, parts: readonly Part[], unitPrice: string | null) => ({
  taskId: newId(),
  salesChannelId: channelOf(sellerId),
  sellerId,
  autoApproval: true,
  assets: parts.map((part) => ({ ...toSelection(part), unitPrice })),
  traceparent: '',
});

export const createTrade = (
  sellerId: string,
  buyerId: string,
  parts: readonly Part[],
  fields: Partial<Requested<'TRADE'>> = {},
): Requested<'TRADE'> => ({
  ...createTransfer(sellerId, parts, '12.5'),
  type: 'TRADE',
  buyerId,
  currency: 'EUR',
  ...fields,
});

export const createRetirement = (
  sellerId: string,
  parts: readonly Part[],
  fields: Partial<Requested<'RETIREMENT'>> = {},
): Requested<'RETIREMENT'> => ({
  ...createTransfer(sellerId, parts, null),
  type: 'RETIREMENT',
  currency: null,
  retirement: RETIREMENT,
  ...fields,
});

export const createOfframp = (
  sellerId: string,
  parts: readonly Part[],
  fields: Partial<Requested<'OFFRAMP'>> = {},
): Requested<'OFFRAMP'> => ({
  ...createTransfer(sellerId, parts, null),
  type: 'OFFRAMP',
  sellerAccountHolderId: holderOf(sellerId),
  ...fields,
});
