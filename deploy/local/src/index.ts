export {
  connectAdministration,
  createProgramCredentials,
  connectPowers,
  connectReconciliation,
} from './administration.ts';
export type { Demo, DemoChannel, DemoKey, DemoTrader, DemoUser } from './demo-file.ts';
export { addDemo, createDemo, type DemoTarget } from './demo.ts';
export {
  fetchToken,
  httpClient,
  ResponseError,
  type HttpResponse,
  type Authorization,
  type HttpClient,
} from './http.ts';
export { projectRoot } from './files.ts';
export { ensurePeople } from './demo.ts';
export { toClientsFile, docsSettings, issuerOf, prepareLocalInstallation, writeTlsFiles } from './place.ts';
export { Running } from './running.ts';
export { openBroker, openDatabases } from './servers.ts';
export { startStack, type Stack, type StackOptions } from './stack.ts';
export { migrate, supervise, type SupervisedProcess } from './supervisor.ts';
export { buildPages } from './pages.ts';
export { yieldCpu } from './supervisor.ts';
