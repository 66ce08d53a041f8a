import { requestRefused, type DomainError, type Violation } from '@saleschannel/errors';

/** Why records are refused because of what is stored, whether they came alone or in a file. */

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
  detail: 'The account holder is suspended by the operator: nothing of it moves.',
} as const satisfies Violation;

/** For its own users, who do not name it. */
export const OWN_HOLDER_SUSPENDED = {
  code: ACCOUNT_HOLDER_SUSPENDED.code,
  detail: 'The account holder is suspended by the operator: nothing of it moves.',
} as const satisfies Violation;

export const SALES_CHANNEL_SUSPENDED = {
  pointer: '#/salesChannelId',
  code: 'sales-channel-suspended',
  detail: 'The sales channel is suspended by the operator: nothing on it changes.',
} as const satisfies Violation;

export const refusedFor = (violation: Violation): DomainError => requestRefused(violation.detail, [violation]);
