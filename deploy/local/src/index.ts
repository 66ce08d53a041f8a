export {
  connectAdministration as administrationOf,
  connectionOf as connectAs,
  connectPowers as powersOf,
  connectReconciliation as reconciliationOf,
} from './administration.ts';
export type { Demo, DemoChannel, DemoKey, DemoTrader, DemoUser } from './demo-file.ts';
export { addDemo, createDemo, type DemoTarget } from './demo.ts';
export { fetchToken, httpClient, ResponseError, type Answer, type Authorization, type HttpClient } from './http.ts';
export { projectRoot } from './paths.ts';
export { ensurePeople } from './people.ts';
export {
  clientsFileOf,
  docsSettings,
  issuerOf,
  prepareLocalInstallation as prepareLocalPlace,
  writeTlsFiles,
} from './place.ts';
export { Running } from './running.ts';
export { openBroker, openDatabases } from './servers.ts';
export { startStack, type Stack, type StackOptions } from './stack.ts';
export { migrate, supervise, type SupervisedProcess } from './supervisor.ts';
export { buildPages } from './web.ts';
export { yieldCpu } from './yield-cpu.ts';
