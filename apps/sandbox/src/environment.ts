import { grpcEnvironment, serviceAddress } from '@saleschannel/grpc';
import { env, processEnvironment, sandboxEnvironment } from '@saleschannel/runtime';

export const environment = {
  ...processEnvironment,
  ...sandboxEnvironment,
  ...grpcEnvironment,
  IDENTITY_ADDRESS: serviceAddress('identity'),
  RBAC_ADDRESS: serviceAddress('rbac'),
  TRADERS_ADDRESS: serviceAddress('traders'),
  TASKS_ADDRESS: serviceAddress('tasks'),
  REGISTRY_IMPORT_ADDRESS: serviceAddress('registry-import'),
  WEBHOOKS_ADDRESS: serviceAddress('webhooks'),
  SANDBOX_API_URL: env.url('URL by which the sandbox reaches the gateway, as a registry'),
};
