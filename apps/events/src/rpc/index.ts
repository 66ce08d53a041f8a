import { access, serviceOnly } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { getHeads, listEvents, readLog, streamEvents } from './events.ts';
import { getActivity, getLedgerProgress, lookUp } from './operator.ts';

export const registrations = (context: Context): Registration[] => [
  implement('events', context, {
    ListEvents: { callers: ['gateway'], access: access.listEvents, handler: listEvents },
    StreamEvents: { callers: ['gateway'], access: access.streamEvents, handler: streamEvents },
  }),
  implement('eventLog', context, {
    ReadLog: { callers: ['webhooks'], access: serviceOnly, handler: readLog },
    GetHeads: { callers: ['webhooks'], access: serviceOnly, handler: getHeads },
  }),
  implement('ledgerProgress', context, {
    GetLedgerProgress: { callers: ['inventory'], access: serviceOnly, handler: getLedgerProgress },
  }),
  implement('activity', context, {
    GetActivity: { callers: ['admin'], access: serviceOnly, handler: getActivity },
  }),
  implement('lookUp', context, {
    LookUp: { callers: ['admin'], access: serviceOnly, handler: lookUp },
  }),
];
