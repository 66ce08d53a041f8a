// `npm run compat` imports this file from other releases. Keep the names and parameters of addressVariable, calleesOf,
// completeSecrets, databaseServices, grpcServices, services, variablesOf and variablesOfMigration.
export {
  ALL_IN_ONE,
  hostedGrpcPort,
  hostedServices,
  imageNames,
  joinVariables,
  joinServiceVariables,
  joinMigrationVariables,
  type ImageName,
  type JoinedVariable,
} from './all-in-one.ts';
export { addListener, removeListener } from './listeners.ts';
export {
  AUDITOR_ROLE,
  toAuditUrl,
  brokerDefinitions,
  brokerListenerUsers,
  toBrokerUrl,
  brokerUsers,
  databaseRoles,
  toDatabaseUrl,
  toMigrationUrl,
  NAMESPACE,
  rolesFile,
  VHOST,
  type DatabaseRole,
} from './roles.ts';
export { rotate } from './rotations.ts';
export { changeSecrets, exitOnError, secretCommand, toSecretParts, type SecretChange } from './secret-command.ts';
export { completeSecrets, parseSecrets, type KnownSecrets, type Secrets } from './secrets.ts';
export {
  ADMIN,
  addressVariable,
  apiCallers,
  AUDITOR,
  brokerPrograms,
  brokerServices,
  calleesOf,
  callersOf,
  databaseServices,
  environmentOf,
  grpcServices,
  programsWithKey,
  identityOf,
  productionServices,
  programNames,
  readsVariable,
  sandboxServices,
  programsWithSecrets,
  secretVariables,
  services,
  usualMemory,
  type ProgramName,
  type ServiceName,
} from './services.ts';
export {
  AUDIENCE,
  httpPorts,
  isPublished,
  listMigrationSecretVariables,
  listMigrationVariables,
  ports,
  secretFile,
  listSecretVariables,
  sourceOf,
  listVariables,
  type DeclaredVariable,
  type SecretKind,
  type Source,
} from './sources.ts';
export { tlsFiles, toTlsFiles, type TlsFile } from './tls.ts';
export {
  addressOf,
  privateKeyOf,
  listSecrets,
  listMigrationSecrets,
  toTlsVariables,
  variablesOf,
  variablesOfMigration,
  type LocalInstallation,
  type SecretParts,
} from './variables.ts';
