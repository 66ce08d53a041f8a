import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { env, processEnvironment } from '@saleschannel/runtime';

/** Every variable that the service reads. */
export const environment = {
  ...processEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  INVENTORY_ADDRESS: serviceAddress('inventory'),
  TRADERS_ADDRESS: serviceAddress('traders'),
  RBAC_ADDRESS: serviceAddress('rbac'),
  IMPORT_LEASE_MS: env.integer('time after which another replica takes over the import of one that has gone silent', {
    min: 300,
    max: 600_000,
    default: '30000',
  }),
  IMPORT_POLL_MS: env.integer('time between looks for imports that another replica has left', {
    min: 50,
    max: 60_000,
    default: '1000',
  }),
};
