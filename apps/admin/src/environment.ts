import { identityEnvironment, serviceAddress, tlsEnvironment } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import type { Environment } from '@saleschannel/runtime';

/** By what services know the command. */
const credentialsEnvironment = { SERVICE_PRIVATE_KEY: identityEnvironment.SERVICE_PRIVATE_KEY, ...tlsEnvironment };

/** For the commands that talk to services. */
export const servicesEnvironment = {
  ...credentialsEnvironment,
  IDENTITY_ADDRESS: serviceAddress('identity'),
  RBAC_ADDRESS: serviceAddress('rbac'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
};

/** For the comparison of the ledger with its consumers. */
export const reconciliationEnvironment = {
  ...credentialsEnvironment,
  INVENTORY_ADDRESS: serviceAddress('inventory'),
};

/** For the command that asks the services which keep an audit trail. */
export const auditEnvironment = {
  ...servicesEnvironment,
  TRADERS_ADDRESS: serviceAddress('traders'),
  INVENTORY_ADDRESS: serviceAddress('inventory'),
  WEBHOOKS_ADDRESS: serviceAddress('webhooks'),
};

/** For the command that asks every service. */
export const lookUpEnvironment = {
  ...auditEnvironment,
  TASKS_ADDRESS: serviceAddress('tasks'),
  EVENTS_ADDRESS: serviceAddress('events'),
};

/** For the commands about dead letters. */
export { brokerEnvironment };

/** Every variable that some command reads. */
export const environment = {
  ...lookUpEnvironment,
  ...reconciliationEnvironment,
  ...brokerEnvironment,
} satisfies Environment;
