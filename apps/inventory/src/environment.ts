import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import { processEnvironment } from '@saleschannel/runtime';

/** Every variable that the service reads. */
export const environment = {
  ...processEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...brokerEnvironment,
  TRADERS_ADDRESS: serviceAddress('traders'),
  RBAC_ADDRESS: serviceAddress('rbac'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
};
