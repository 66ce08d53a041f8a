import { formatNumber } from '../../../shared/format/numbers.ts';
import { translate } from '../../../shared/i18n/messages.ts';

export const text = translate({
  title: (name: string) => `Webhook ${name}`,
  loading: 'Webhook endpoint',
  all: 'All endpoints',
  needs: (role: string) => `Only users with the role ROLE_ADMINISTRATOR (${role}) can change this endpoint.`,

  failingWhy:
    'The last attempts failed. Each delivery is retried automatically for about 75 hours. The deliveries below show ' +
    'the responses.',
  goneWhy:
    'The receiver returned 410 (Gone), which stops deliveries. No event is lost: events stay in the log and are sent ' +
    'when the endpoint is enabled again.',
  gaveUpWhy:
    'No attempt has succeeded for too long. No event is lost: events stay in the log and are sent when the endpoint ' +
    'is enabled again. Fix the receiver first, and check it with a test message.',
  disabledWhy: 'Nothing is sent. Events stay in the log and are sent when the endpoint is enabled again.',

  state: 'State',
  url: 'Endpoint URL',
  types: 'Events',
  order: 'Order',
  pending: 'Pending deliveries',
  position: 'Processed up to',
  positionNone: 'no event yet',
  recorded: (time: string) => `recorded ${time}, UTC`,
  lastSuccess: 'Last success, UTC',
  lastFailure: 'Last failure, UTC',
  failingSince: 'Failing since, UTC',
  never: 'never',
  created: 'Created, UTC',
  by: 'Created by',
  id: 'Endpoint',

  secrets: 'Secrets',
  secretsAbout: 'Each message carries one signature per secret.',
  secretMade: 'Created, UTC',
  secretEnds: 'Valid until, UTC',
  secretStays: 'no expiry',

  close: 'Close',
  edit: 'Edit',
  editTitle: (name: string) => `Edit the endpoint ${name}`,
  editWhy: 'A new URL receives all future and all pending messages.',
  editDo: 'Save changes',
  enable: 'Enable',
  enableTitle: (name: string) => `Enable the endpoint ${name}`,
  enableWhy:
    'Delivery resumes at the event where it stopped. Pending messages are sent immediately, and their attempts start ' +
    'over.',
  enableDo: 'Enable endpoint',
  disable: 'Disable',
  disableTitle: (name: string) => `Disable the endpoint ${name}`,
  disableWhy:
    'Nothing more is sent. Events stay in the log, and all of them are sent when the endpoint is enabled again.',
  disableDo: 'Disable endpoint',
  rotate: 'Rotate secret',
  rotateTitle: (name: string) => `Rotate the secret of the endpoint ${name}`,
  rotateWhy:
    'While the old secret still signs, each message carries a signature by both secrets. Give the receiver the new ' +
    'secret during that time.',
  overlap: 'Hours until the old secret expires',
  overlapHint: '0 to 72. With 0 the old secret expires immediately: use 0 for a leaked secret.',
  rotateDo: 'Create new secret',
  deletion: 'Delete this endpoint',
  deletionAbout: 'To pause deliveries, disable the endpoint instead: no event is then skipped.',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete the endpoint ${name}`,
  deleteWhy: (pending: number) =>
    (pending === 0
      ? 'Nothing more is sent.'
      : `Nothing more is sent. Dropped pending messages: ${formatNumber(pending)}.`) +
    ' The secrets and the delivery records are deleted. The events stay in the log.',
  deleteDo: 'Delete endpoint',

  test: 'Send test message',
  testTitle: 'Test message',
  testSending: 'The message is being sent.',
  testArrived: 'The receiver accepted the message.',
  testFailed: 'The receiver did not accept the message.',
  testMore: 'View this delivery',

  replay: 'Replay events',
  replayTitle: (name: string) => `Replay events to ${name}`,
  replayWhy:
    'Events of a period are sent again with their original ids, so the receiver can recognize duplicates. New events ' +
    'do not wait for them.',
  replayFrom: 'Recorded from, UTC',
  replayTo: 'Recorded before, UTC',
  replayToHint: 'If empty: up to now.',
  replayFailed: 'Only failed deliveries',
  replayDo: 'Start replay',
  replayDisabled: 'The endpoint is disabled. Enable it first.',
  replayBusy: 'A replay is running. The next one can start when it has finished.',
  replayRuns: (from: string, to: string) => `Replaying events from ${from} to ${to}, UTC`,
  replayRunsFailed: (from: string, to: string) => `Replaying events with failed deliveries from ${from} to ${to}, UTC`,
  replayAt: (percent: number) => `${percent} %`,

  deliveries: 'Deliveries',
  deliveriesAbout: 'Sent and pending messages, newest first. A delivery is kept for 30 days after it ends.',
  filters: 'Filters',
  status: 'Status',
  eventId: 'Event id',
  from: 'From, UTC',
  to: 'To, UTC',
  takenUp: 'Queued, UTC',
  open: (time: string, message: string) => `${time}: open the delivery of ${message}`,
  message: 'Message',
  attempts: 'Attempts',
  answer: 'Last response',
  next: 'Next attempt, UTC',
  event: 'Message id',
  noMatches: 'No matching deliveries.',
  clear: 'Clear filters',
  none: 'No messages yet. New events appear here automatically.',
});
