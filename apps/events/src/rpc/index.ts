import { accessRules, serviceOnlyRule } from '@saleschannel/auth';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { getHeads, listEvents, readLog, streamEvents } from './events.ts';
import { getActivity, getLedgerProgress, lookUp } from './operator.ts';

export const createRegistrations = (context: Context): Registration[] => [
  implement('events', context, {
    ListEvents: { callers: ['gateway'], access: accessRules.listEvents, handler: listEvents },
    StreamEvents: { callers: ['gateway'], access: accessRules.streamEvents, handler: streamEvents },
  }),
  implement('eventLog', context, {
    ReadLog: { callers: ['webhooks'], access: serviceOnlyRule, handler: readLog },
    GetHeads: { callers: ['webhooks'], access: serviceOnlyRule, handler: getHeads },
  }),
  implement('ledgerProgress', context, {
    GetLedgerProgress: { callers: ['inventory'], access: serviceOnlyRule, handler: getLedgerProgress },
  }),
  implement('activity', context, {
    GetActivity: { callers: ['admin'], access: serviceOnlyRule, handler: getActivity },
  }),
  implement('lookUp', context, {
    LookUp: { callers: ['admin'], access: serviceOnlyRule, handler: lookUp },
  }),
];
