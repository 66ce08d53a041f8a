import { translated } from '../../shared/i18n/messages.ts';

/** Words for what all pages of webhooks show. */
export const text = translated({
  unused: 'enabled, no event was sent yet',
  works: 'works',
  failing: 'fails, and is tried again',
  disabled: 'disabled',
  gone: 'disabled: it answered 410',
  gaveUp: 'disabled: it failed for too long',
  PENDING: 'waits',
  SUCCESS: 'delivered',
  FAILED: 'failed',
  TRANSACTION_STATUS_CHANGE: 'Transaction changed',
  TEST: 'Test message',
  transactionIs: (status: string) => `Transaction ${status}`,
  all: 'All',
  answered: (code: number) => `HTTP ${code}`,
  noAnswer: 'no answer',
  took: (ms: string) => `${ms} ms`,
  inOrder: 'One after the other',
  anyOrder: 'Up to eight at once',
  url: 'Address (URL)',
  urlHint: 'https, and reachable from the internet. Messages are sent there as POST.',
  description: 'Description',
  descriptionHint: 'What receives them, so that you know it again: "Order system".',
  which: 'Events',
  whichAll: 'All types, also those to come',
  whichChosen: 'Only chosen types',
  types: 'Types',
  order: 'Order',
  orderHint:
    'One after the other: each event waits until the one before it has arrived, so one that cannot be delivered ' +
    'stops all that follow.',
  secretTitle: 'The secret of the endpoint',
  secretOnce: 'The secret is shown this once and never again. Copy it now, to where messages are received.',
  secretUse: 'What is received is checked with it: each message is signed after Standard Webhooks.',
  secret: 'Secret',
  copied: 'I have copied it',
  bandGone: (name: string) =>
    `The webhook endpoint ${name} is disabled, because it answered 410. Its events wait until it is enabled again.`,
  bandGaveUp: (name: string) =>
    `The webhook endpoint ${name} is disabled, because it failed for too long. Its events wait until it is enabled ` +
    'again.',
  bandFailing: (name: string, since: string) =>
    `The webhook endpoint ${name} has failed since ${since}, UTC. It is tried again by itself.`,
  bandOpen: 'To the endpoint',
  bandMore: (count: number) =>
    count === 1 ? 'One more webhook endpoint is in trouble.' : `${count} more webhook endpoints are in trouble.`,
  bandAll: 'To all endpoints',
});
