import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import { env, processEnvironment } from '@saleschannel/runtime';

export const environment = {
  ...processEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...brokerEnvironment,
  TRADERS_ADDRESS: serviceAddress('traders'),
  INVENTORY_ADDRESS: serviceAddress('inventory'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
  TASK_PICK_UP_SECONDS: env.integer('a task that heard nothing for this long is announced to the ledger again', {
    min: 1,
    max: 3_600,
    default: '30',
  }),
};
