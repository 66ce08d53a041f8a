import { requestRefused, type DomainError, type Violation } from '@saleschannel/errors';

/*
 * Refusals because of stored records, for single records and lines of imports.
 */

export const UNKNOWN_ACCOUNT_HOLDER = {
  pointer: '#/accountHolderId',
  code: 'unknown-account-holder',
  detail: 'There is no such account holder.',
} as const satisfies Violation;

export const NOT_ONBOARDED = {
  pointer: '#/salesChannelId',
  code: 'not-onboarded',
  detail: 'The account holder has no accepted trader in this sales channel.',
} as const satisfies Violation;

export const CONTRADICTS_STORED = {
  pointer: '#/businessId',
  code: 'contradicts-stored',
  detail: 'There is an account holder with this business id and other content.',
} as const satisfies Violation;

export const BUSINESS_ID_TAKEN = {
  pointer: '#/businessId',
  code: 'contradicts-stored',
  detail: 'Another account holder has this business id.',
} as const satisfies Violation;

export const ACCOUNT_HOLDER_SUSPENDED = {
  pointer: '#/accountHolderId',
  code: 'account-holder-suspended',
  detail: 'The operator has suspended the account holder, so its certificates cannot move.',
} as const satisfies Violation;

/** For its own users, whose requests do not name it. */
export const OWN_HOLDER_SUSPENDED = {
  code: ACCOUNT_HOLDER_SUSPENDED.code,
  detail: 'The operator has suspended the account holder, so its certificates cannot move.',
} as const satisfies Violation;

export const SALES_CHANNEL_SUSPENDED = {
  pointer: '#/salesChannelId',
  code: 'sales-channel-suspended',
  detail: 'The operator has suspended the sales channel, which is now read-only.',
} as const satisfies Violation;

export const toRefusal = (violation: Violation): DomainError => requestRefused(violation.detail, [violation]);
