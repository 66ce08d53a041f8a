import { databaseEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment, ledgerPartitions } from '@saleschannel/messaging';
import { env, processEnvironment } from '@saleschannel/runtime';

export const environment = {
  ...processEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...brokerEnvironment,
  TRADERS_ADDRESS: serviceAddress('traders'),
  INVENTORY_ADDRESS: serviceAddress('inventory'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
  TASK_PICK_UP_SECONDS: env.integer(
    'a task that heard nothing for this long is announced to the ledger again, then after twice as long, and so on',
    {
      min: 1,
      max: 3_600,
      default: '30',
    },
  ),
  LEDGER_PARTITIONS: env.integer(
    'queues in which the ledger is told of transfers: more for more replicas of inventory',
    {
      min: 1,
      max: ledgerPartitions.length,
      default: '1',
    },
  ),
  TASKS_WAITING_MAX: env.integer('tasks that may wait for the ledger; further transfers are answered with 503', {
    min: 1,
    max: 1_000_000,
    default: '20000',
  }),
  TASK_ARCHIVE_SECONDS: env.integer('how often tasks are brought into the archive', {
    min: 1,
    max: 86_400,
    default: '60',
  }),
  TASK_ARCHIVE_AFTER_DAYS: env.integer('days after its end that a task goes into the archive', {
    min: 1,
    max: 3_650,
    default: '30',
  }),
  TASK_ARCHIVE_KEPT_MONTHS: env.integer(
    'whole months that tasks are kept in the archive; 0 keeps them for ever, else what is older is gone for good',
    {
      max: 1_200,
      default: '0',
    },
  ),
  TASKS_WAITING_PER_CHANNEL_MAX: env.integer('tasks of one sales channel that may wait for the ledger', {
    min: 1,
    max: 1_000_000,
    default: '5000',
  }),
};
