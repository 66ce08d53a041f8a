import { identityEnvironment, serviceAddress, tlsEnvironment } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';
import type { Environment } from '@saleschannel/runtime';

/** Credentials for the services. */
const credentialsEnvironment = { SERVICE_PRIVATE_KEY: identityEnvironment.SERVICE_PRIVATE_KEY, ...tlsEnvironment };

/** Variables of the commands that call services. */
export const servicesEnvironment = {
  ...credentialsEnvironment,
  IDENTITY_ADDRESS: serviceAddress('identity'),
  RBAC_ADDRESS: serviceAddress('rbac'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
};

/** Variables of `reconcile`. */
export const reconciliationEnvironment = {
  ...credentialsEnvironment,
  INVENTORY_ADDRESS: serviceAddress('inventory'),
};

/** Variables of `audit-events`, which calls the services with an audit trail. */
export const auditEnvironment = {
  ...servicesEnvironment,
  TRADERS_ADDRESS: serviceAddress('traders'),
  INVENTORY_ADDRESS: serviceAddress('inventory'),
  WEBHOOKS_ADDRESS: serviceAddress('webhooks'),
};

/** Variables of `look-up`, which calls every service. */
export const lookUpEnvironment = {
  ...auditEnvironment,
  TASKS_ADDRESS: serviceAddress('tasks'),
  EVENTS_ADDRESS: serviceAddress('events'),
};

/** Variables of `dead-letters` and `unbind`. */
export { brokerEnvironment };

/** The variables of all commands. */
export const environment = {
  ...lookUpEnvironment,
  ...reconciliationEnvironment,
  ...brokerEnvironment,
} satisfies Environment;
