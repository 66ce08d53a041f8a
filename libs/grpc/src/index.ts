export { createClient, type ClientConnection } from './client.ts';
export {
  createServiceIdentity,
  grpcEnvironment,
  identityEnvironment,
  serviceAddress,
  type ServiceIdentity,
} from './environment.ts';
export { decodeError, encodeError } from './error-codec.ts';
export { createHealthProbe, type HealthProbe } from './health.ts';
export { salesChannelOf, userOf } from './principals.ts';
export {
  createGrpcServer,
  implement,
  type GrpcServer,
  type Registration,
  type RpcDefinition,
  type Rpcs,
} from './server.ts';
export type { Call, CallOptions, Client, ServiceClient } from './types.ts';
