import { identityEnvironment, serviceAddress } from '@saleschannel/grpc';
import { brokerEnvironment } from '@saleschannel/messaging';

/** For the commands that talk to services. */
export const servicesEnvironment = {
  SERVICE_PRIVATE_KEY: identityEnvironment.SERVICE_PRIVATE_KEY,
  IDENTITY_ADDRESS: serviceAddress('identity'),
  RBAC_ADDRESS: serviceAddress('rbac'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
};

/** For the commands that look after dead letters. */
export { brokerEnvironment };
