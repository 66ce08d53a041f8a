import { databaseEnvironment, readReplicaEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { env, processEnvironment, sandboxEnvironment } from '@saleschannel/runtime';

/** Every variable that the service reads. */
export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...readReplicaEnvironment,
  INVENTORY_ADDRESS: serviceAddress('inventory'),
  TRADERS_ADDRESS: serviceAddress('traders'),
  RBAC_ADDRESS: serviceAddress('rbac'),
  IMPORT_LEASE_MS: env.integer('time after which another replica takes over the import of one that has gone silent', {
    min: 300,
    max: 600_000,
    default: '9000',
  }),
  IMPORT_POLL_MS: env.integer('time between looks for imports that another replica has left', {
    min: 50,
    max: 60_000,
    default: '1000',
  }),
  IMPORT_BYTES_AT_MOST: env.integer('bytes of the file of one import', { min: 1, default: '4294967296' }),
  IMPORT_LINES_AT_MOST: env.integer('lines of the file of one import', { min: 1, default: '10000000' }),
  IMPORT_ERRORS_STORED_AT_MOST: env.integer('errors of one import that are stored; further ones are counted', {
    min: 1,
    max: 1_000_000,
    default: '10000',
  }),
  IMPORTS_WAITING_PER_KEY: env.integer('imports of one registry key that may wait, be uploaded or run', {
    min: 1,
    max: 10_000,
    default: '20',
  }),
};
