// `npm run compat` imports this file from other releases. Keep the names and parameters of addressVariable, calleesOf,
// completeSecrets, databaseServices, grpcServices, services, variablesOf and variablesOfMigration.
export {
  ALL_IN_ONE,
  hostedGrpcPort,
  hostedServices,
  imageNames,
  joinVariables,
  variablesOfAllInOne,
  variablesOfMigrations,
  type ImageName,
  type JoinedVariable,
} from './all-in-one.ts';
export { addListener, removeListener } from './listeners.ts';
export {
  AUDITOR_ROLE,
  auditUrlOf,
  brokerDefinitions,
  brokerListenerUsers,
  brokerUrlOf,
  brokerUsers,
  databaseRoles,
  databaseUrlOf,
  migrationUrlOf,
  NAMESPACE,
  rolesFile,
  VHOST,
  type DatabaseRole,
} from './roles.ts';
export { rotate } from './rotations.ts';
export { changedSecrets, orSay, secretCommand, secretPartsAt, type SecretChange } from './secret-command.ts';
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
  keyHolders,
  knownAs,
  productionServices,
  programNames,
  reads,
  sandboxServices,
  secretHolders,
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
  migrationSecretsOf,
  migrationVariablesOf,
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
  secretsOfMigration,
  tlsVariablesOf,
  variablesOf,
  variablesOfMigration,
  type Place,
  type SecretParts,
} from './variables.ts';
