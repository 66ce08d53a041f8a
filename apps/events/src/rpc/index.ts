import { access } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { implement, type Registration } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { listEvents } from './list-events.ts';

export const registrations = (context: Context): Registration[] => [
  implement(services.events, {
    ListEvents: { callers: ['gateway'], access: access.listEvents, handler: listEvents(context) },
  }),
];
