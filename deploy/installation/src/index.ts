export {
  brokerDefinitions,
  brokerUrlOf,
  brokerUsers,
  databaseRoles,
  databaseUrlOf,
  NAMESPACE,
  rolesFile,
  VHOST,
  type DatabaseRole,
} from './roles.ts';
export { rotate } from './rotations.ts';
export { completeSecrets, parseSecrets, type KnownSecrets, type Secrets } from './secrets.ts';
export {
  ADMIN,
  addressVariable,
  brokerServices,
  calleesOf,
  callersOf,
  databaseServices,
  environmentOf,
  grpcServices,
  keyHolders,
  productionServices,
  programNames,
  reads,
  secretVariables,
  services,
  usualMemory,
  type ProgramName,
  type ServiceName,
} from './services.ts';
export {
  AUDIENCE,
  ports,
  secretFile,
  secretVariablesOf,
  sourceOf,
  variablesReadBy,
  type DeclaredVariable,
  type SecretKind,
  type Source,
} from './sources.ts';
export { tlsFiles, tlsFilesOf, type TlsFile } from './tls.ts';
export {
  addressOf,
  privateKeyOf,
  secretsOf,
  tlsVariablesOf,
  variablesOf,
  type Place,
  type SecretParts,
} from './variables.ts';
