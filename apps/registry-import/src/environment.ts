import { databaseEnvironment, readReplicaEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { env, processEnvironment, sandboxEnvironment } from '@saleschannel/runtime';

export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...readReplicaEnvironment,
  INVENTORY_ADDRESS: serviceAddress('inventory'),
  TRADERS_ADDRESS: serviceAddress('traders'),
  RBAC_ADDRESS: serviceAddress('rbac'),
  IMPORT_LEASE_MS: env.integer(
    'time after which another replica takes over the import of a replica that no longer renews its lease',
    { min: 300, max: 600_000, default: '9000' },
  ),
  IMPORT_POLL_MS: env.integer('interval between checks for imports to take over from another replica', {
    min: 50,
    max: 60_000,
    default: '1000',
  }),
  IMPORT_BYTES_AT_MOST: env.integer('maximum size of the file of one import, in bytes', {
    min: 1,
    default: '4294967296',
  }),
  IMPORT_LINES_AT_MOST: env.integer('maximum lines in the file of one import', { min: 1, default: '10000000' }),
  IMPORT_ERRORS_STORED_AT_MOST: env.integer('maximum stored errors of one import; further errors are only counted', {
    min: 1,
    max: 1_000_000,
    default: '10000',
  }),
  IMPORTS_WAITING_PER_KEY: env.integer('maximum imports of one registry key that wait, are being uploaded or run', {
    min: 1,
    max: 10_000,
    default: '20',
  }),
};
