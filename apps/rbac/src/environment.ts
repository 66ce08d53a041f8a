import { sealingKeys } from '@saleschannel/auth';
import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import { env, processEnvironment, sandboxEnvironment } from '@saleschannel/runtime';

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
    'keys that encrypt stored responses with secrets, kept for repeated requests, each 32 bytes in base64url, ' +
      'separated by commas; the first encrypts, all decrypt',
    sealingKeys,
    { secret: true },
  ),
};
