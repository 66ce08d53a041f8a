export { createClient } from './client.ts';
export { type ClientConnection } from './outgoing.ts';
export {
  createCredentials,
  createServiceIdentity,
  grpcEnvironment,
  identityEnvironment,
  serviceAddress,
  type Credentials,
  type ServiceIdentity,
} from './environment.ts';
export { createHealthProbe, createHealthServer, LIVENESS, type HealthProbe } from './health.ts';
export { accountHolderOf, lookUpOwnerOf, readerOf, salesChannelOf, userOf } from './calls.ts';
export { decodeError, encodeError, toError, toProblem } from './problems.ts';
export {
  createGrpcServer,
  createServiceServer,
  implement,
  type GrpcServer,
  type Registration,
  type RpcDefinition,
  type RpcDefinitions,
} from './server.ts';
export type {
  Call,
  CallOptions,
  Client,
  ReplyOf,
  RequestOf,
  ResponseOf,
  Rpc,
  RpcPath,
  SentTo,
  ServiceClient,
  ServiceKey,
} from './calls.ts';
export { type Foundation } from './serving.ts';
export { createTls, tlsEnvironment, type Tls, type TlsFiles } from './tls.ts';
