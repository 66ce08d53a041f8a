import { databaseEnvironment, readReplicaEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { processEnvironment } from '@saleschannel/runtime';

export const environment = {
  ...processEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...readReplicaEnvironment,
  RBAC_ADDRESS: serviceAddress('rbac'),
};
