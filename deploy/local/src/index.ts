export { administrationOf, connectAs, powersOf, reconciliationOf } from './administration.ts';
export type { Demo, DemoChannel, DemoKey, DemoTrader, DemoUser } from './demo-file.ts';
export { createDemo, type DemoTarget } from './demo.ts';
export { fetchToken, httpClient, type Answer, type Authorization, type HttpClient } from './http.ts';
export { projectRoot } from './paths.ts';
export { writeTlsFiles } from './place.ts';
export { startStack, type Stack, type StackOptions } from './stack.ts';
export { migrate, supervise, type SupervisedProcess } from './supervisor.ts';
export { buildPages } from './web.ts';
