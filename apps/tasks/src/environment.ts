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
    'time without news of a task after which it is sent to the ledger again; doubles with each retry',
    { min: 1, max: 3_600, default: '30' },
  ),
  LEDGER_PARTITIONS: env.integer(
    'queues that carry transfers to the ledger; use more queues for more replicas of inventory',
    { min: 1, max: ledgerPartitions.length, default: '1' },
  ),
  TASKS_WAITING_MAX: env.integer('maximum tasks that wait for the ledger; further transfers get a 503 response', {
    min: 1,
    max: 1_000_000,
    default: '20000',
  }),
  TASK_ARCHIVE_SECONDS: env.integer('interval between runs of the archiving of tasks', {
    min: 1,
    max: 86_400,
    default: '60',
  }),
  TASK_ARCHIVE_AFTER_DAYS: env.integer('days after its end before a task is archived', {
    min: 1,
    max: 3_650,
    default: '30',
  }),
  TASK_ARCHIVE_KEPT_MONTHS: env.integer(
    'whole months that archived tasks are kept, after which they are deleted permanently; 0 keeps them forever',
    { max: 1_200, default: '0' },
  ),
  TASKS_WAITING_PER_CHANNEL_MAX: env.integer('maximum tasks of one sales channel that wait for the ledger', {
    min: 1,
    max: 1_000_000,
    default: '5000',
  }),
};
