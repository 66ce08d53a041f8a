import { sealingKeys } from '@saleschannel/auth';
import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import { env, processEnvironment, sandboxEnvironment } from '@saleschannel/runtime';

/** Every variable that the service reads. */
export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...brokerEnvironment,
  IDENTITY_ADDRESS: serviceAddress('identity'),
  TASKS_ADDRESS: serviceAddress('tasks'),
  INVENTORY_ADDRESS: serviceAddress('inventory'),
  ANSWER_KEYS: env.parsed(
    'keys under which answers with a secret are kept for repeated requests, 32 bytes in base64url each, separated by ' +
      'commas: the current one first, others only open what was kept before',
    sealingKeys,
    { secret: true },
  ),
};
