import { digits } from '../../../shared/format/numbers.ts';
import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: (name: string) => `Webhook ${name}`,
  loading: 'Webhook endpoint',
  all: 'All endpoints',
  needs: (role: string) => `Who has the role ROLE_ADMINISTRATOR (${role}) changes this endpoint.`,

  failingWhy:
    'The last attempts have failed. Further ones are made by themselves, over about 75 hours. Look at the deliveries ' +
    'below for what was answered.',
  goneWhy:
    'Its answer 410 said that it wants nothing any more. Nothing is lost: events wait in the log, and are sent ' +
    'when it is enabled again.',
  gaveUpWhy:
    'No attempt has succeeded for too long. Nothing is lost: events wait in the log, and are sent when it is enabled ' +
    'again. Mend the receiver first, and try it with a test message.',
  disabledWhy: 'Nothing is sent. Events wait in the log, and are sent when it is enabled again.',

  state: 'State',
  url: 'Address (URL)',
  types: 'Events',
  order: 'Order',
  pending: 'Waiting for an attempt',
  position: 'Taken up to',
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
  secretsAbout: 'Each message carries one signature for each of them.',
  secretMade: 'Made, UTC',
  secretEnds: 'Signs until, UTC',
  secretStays: 'it is replaced',

  close: 'Close',
  edit: 'Change',
  editTitle: (name: string) => `Change the endpoint ${name}`,
  editWhy: 'A new address gets what is sent from now on, and what waits.',
  editDo: 'Save the changes',
  enable: 'Enable',
  enableTitle: (name: string) => `Enable the endpoint ${name}`,
  enableWhy: 'It goes on with the event at which it stopped. What waits is tried at once, with all its attempts anew.',
  enableDo: 'Enable it',
  disable: 'Disable',
  disableTitle: (name: string) => `Disable the endpoint ${name}`,
  disableWhy:
    'Nothing is sent to it any more. Its events wait in the log: when it is enabled again, they are sent, and none ' +
    'is left out.',
  disableDo: 'Disable it',
  rotate: 'New secret',
  rotateTitle: (name: string) => `New secret for the endpoint ${name}`,
  rotateWhy:
    'While the old secret still signs, each message carries a signature of both. Give the receiver the new one in ' +
    'that time.',
  overlap: 'Hours for which the old one still signs',
  overlapHint: '0 to 72. With 0 the old one ends at once: for a secret that leaked.',
  rotateDo: 'Create the secret',
  deletion: 'Delete this endpoint',
  deletionAbout: 'To stop deliveries for a while, disable it instead: then no event is left out.',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete the endpoint ${name}`,
  deleteWhy: (pending: number) =>
    (pending === 0
      ? 'Nothing is sent to it any more.'
      : `Nothing is sent to it any more, also not what waits now: ${digits(pending)}.`) +
    ' Its secrets and the record of its deliveries go. The events stay in the log.',
  deleteDo: 'Delete it',

  test: 'Send a test message',
  testTitle: 'Test message',
  testSending: 'The message is on its way.',
  testArrived: 'The receiver has taken it.',
  testFailed: 'The receiver has not taken it.',
  testMore: 'All about this delivery',

  replay: 'Deliver again',
  replayTitle: (name: string) => `Deliver events again to ${name}`,
  replayWhy:
    'Events of a time are sent once more, under the ids that they had, so a receiver knows which it has. New ' +
    'events do not wait for them.',
  replayFrom: 'Recorded from, UTC',
  replayTo: 'Recorded before, UTC',
  replayToHint: 'Empty: up to now.',
  replayFailed: 'Only those whose delivery failed',
  replayDo: 'Deliver them again',
  replayDisabled: 'The endpoint is disabled: it has to be enabled first.',
  replayBusy: 'Events are being delivered again. The next time can be chosen when they are.',
  replayRuns: (from: string, to: string) => `Events from ${from} to ${to}, UTC, are delivered again`,
  replayRunsFailed: (from: string, to: string) =>
    `Events from ${from} to ${to}, UTC, whose delivery failed are delivered again`,
  replayAt: (percent: number) => `${percent} %`,

  deliveries: 'Deliveries',
  deliveriesAbout: 'What was sent, and what waits, the latest first. They are kept for 30 days after their end.',
  filters: 'Filters',
  status: 'Status',
  eventId: 'Event id',
  from: 'From, UTC',
  to: 'To, UTC',
  takenUp: 'Taken up, UTC',
  open: (time: string, message: string) => `${time}: open the delivery of ${message}`,
  message: 'Message',
  attempts: 'Attempts',
  answer: 'Last answer',
  next: 'Next attempt, UTC',
  event: 'Message id',
  noneFits: 'No delivery fits.',
  clear: 'Clear the filters',
  none: 'Nothing was sent yet. The next event comes here by itself.',
});
