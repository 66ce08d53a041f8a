export { ensureChromiumInstalled, ensurePdfToTextInstalled } from './test-programs.ts';
export {
  revokeDefaultConnect as closeOtherDatabases,
  ensureRole,
  assignDatabase as handOver,
  type DatabaseRoles,
} from './database-rights.ts';
export { BackendError } from './errors.ts';
export { listDescendants as descendantsOf } from './guarded-process.ts';
export type { Exit } from './guarded-process.ts';
export { assertPortFree, findFreePort as freePort, isPortFree } from './ports.ts';
export { startPostgres } from './postgres.ts';
export type { PostgresOptions, RunningPostgres } from './postgres.ts';
export { copyForStandby, takeBaseBackup, type StandbyOptions } from './postgres-backup.ts';
export { restorePostgres, type Restored } from './postgres-restore.ts';
export { hashRabbitPassword as rabbitPasswordHash } from './rabbitmq-files.ts';
export type { BrokerUser } from './rabbitmq-files.ts';
export { ensureRabbitMqInstalled, findRabbitMqServer } from './rabbitmq-server.ts';
export { startRabbitMq } from './rabbitmq.ts';
export type { RabbitMqOptions, RunningRabbitMq } from './rabbitmq.ts';
export { createTemporaryFolder as makeTemporaryFolder, removeFolder } from './reachable.ts';
export { findServerUser as serverUser } from './system-user.ts';
export type { ServerUser } from './system-user.ts';
