import { translated } from '../../shared/i18n/messages.ts';

/** Words for what retired certificates were used for. */
export const usages = translated({
  GENERIC_COMPENSATION: 'generic compensation',
  SPECIFIC_ACTIVITY_LIKE_FLIGHTS: 'a specific activity, such as flights',
  BUNDLED_WITH_PRODUCT_OR_SERVICE: 'bundled with a product or service',
  DISCLOSURE: 'disclosure',
  SUPPORT: 'support',
  OTHER: 'other',
});
