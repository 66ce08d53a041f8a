import { databaseEnvironment, readReplicaEnvironment } from '@saleschannel/database';
import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import { env, processEnvironment, sandboxEnvironment } from '@saleschannel/runtime';
import { statementKeysSchema } from './domain/statement.ts';

export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...grpcEnvironment,
  ...databaseEnvironment,
  ...readReplicaEnvironment,
  ...brokerEnvironment,
  TRADERS_ADDRESS: serviceAddress('traders'),
  RBAC_ADDRESS: serviceAddress('rbac'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
  TASKS_ADDRESS: serviceAddress('tasks'),
  EVENTS_ADDRESS: serviceAddress('events'),
  STATEMENT_KEYS: env.parsed(
    'Ed25519 keys that sign statements of retirements, as JSON: "current" is a private JWK, "former" are the public ' +
      'JWKs of earlier keys, whose signatures stay valid',
    statementKeysSchema,
    { secret: true },
  ),
  RECONCILE_SECONDS: env.integer('interval between reconciliations of the ledger with its consumers', {
    min: 1,
    max: 86_400,
    default: '15',
  }),
  RECONCILE_GRACE_SECONDS: env.integer('age up to which a status change counts as in transit to the consumers', {
    max: 86_400,
    default: '60',
  }),
};
