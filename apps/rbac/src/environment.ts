import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import { processEnvironment, sandboxEnvironment } from '@saleschannel/runtime';

/** Every variable that the service reads. */
export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...brokerEnvironment,
  IDENTITY_ADDRESS: serviceAddress('identity'),
};
