import { databaseEnvironment, readReplicaEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { processEnvironment } from '@saleschannel/runtime';

/** Every variable that the service reads. */
export const environment = {
  ...processEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...readReplicaEnvironment,
  RBAC_ADDRESS: serviceAddress('rbac'),
};
