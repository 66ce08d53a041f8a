export { audit, type AuditOptions, type DatabaseUrls } from './audit.ts';
export { databaseNames, type Check, type DatabaseName, type Finding, type Result } from './domain/check.ts';
export { formatResult, toDatabaseUrls } from './command-line.ts';
export type { ChainHead, ChainHeads } from './store/anchors.ts';
