import { sealingKeys } from '@saleschannel/auth';
import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { env, processEnvironment, sandboxEnvironment } from '@saleschannel/runtime';

/** Every variable that the service reads. */
export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  EVENTS_ADDRESS: serviceAddress('events'),
  WEBHOOK_SECRET_KEYS: env.parsed(
    'keys under which secrets of endpoints are stored, 32 bytes in base64url each, separated by commas: the current ' +
      'one first, others only open what was stored before',
    sealingKeys,
    { secret: true },
  ),
  WEBHOOK_PRIVATE_TARGETS: env.oneOf(
    'whether endpoints may be in private networks and without TLS: for development and tests alone',
    ['refused', 'allowed'],
    { default: 'refused' },
  ),
  WEBHOOK_ENDPOINTS_PER_CHANNEL: env.integer('endpoints of one sales channel', { min: 1, max: 1_000, default: '20' }),
  WEBHOOK_DELIVERY_KEPT_DAYS: env.integer('how long deliveries that have ended are kept', {
    min: 1,
    max: 3_650,
    default: '30',
  }),
};
