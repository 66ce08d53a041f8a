import { translate } from '../../shared/i18n/messages.ts';

/** Labels shared by the webhook pages. */
export const text = translate({
  unused: 'enabled, no events sent yet',
  works: 'healthy',
  failing: 'failing, retried automatically',
  disabled: 'disabled',
  gone: 'disabled: the receiver returned 410',
  gaveUp: 'disabled: failed for too long',
  PENDING: 'pending',
  SUCCESS: 'delivered',
  FAILED: 'failed',
  TRANSACTION_STATUS_CHANGE: 'Transaction changed',
  TEST: 'Test message',
  transactionIs: (status: string) => `Transaction ${status}`,
  all: 'All',
  answered: (code: number) => `HTTP ${code}`,
  noAnswer: 'no response',
  took: (ms: string) => `${ms} ms`,
  inOrder: 'One at a time, in order',
  anyOrder: 'Up to eight at once',
  url: 'Endpoint URL',
  urlHint: 'Must use https and be reachable from the internet. Messages are sent as POST requests.',
  description: 'Description',
  descriptionHint: 'Helps you recognize the receiver, for example "Order system".',
  which: 'Events',
  whichAll: 'All types, including future ones',
  whichChosen: 'Selected types',
  types: 'Types',
  order: 'Order',
  orderHint:
    'One at a time: each event waits until the previous one is delivered, so an event that cannot be delivered ' +
    'blocks all later events.',
  secretTitle: 'Endpoint secret',
  secretOnce: 'The secret is shown only once. Copy it now and give it to the receiver.',
  secretUse: 'The receiver verifies messages with it: each message is signed according to Standard Webhooks.',
  secret: 'Secret',
  copied: 'I have copied it',
  bannerGone: (name: string) =>
    `The webhook endpoint ${name} is disabled because the receiver returned 410. Its events wait until it is enabled ` +
    'again.',
  bannerGaveUp: (name: string) =>
    `The webhook endpoint ${name} is disabled because it failed for too long. Its events wait until it is enabled ` +
    'again.',
  bannerFailing: (name: string, since: string) =>
    `The webhook endpoint ${name} has been failing since ${since}, UTC. Deliveries are retried automatically.`,
  bannerOpen: 'View endpoint',
  bannerMore: (count: number) =>
    count === 1 ? 'One more webhook endpoint has a problem.' : `${count} more webhook endpoints have problems.`,
  bannerAll: 'View all endpoints',
});
