export { listAuditedChanges } from './service.ts';
export { testBrokerUrl, testNamespace, withQueues, type TestQueues } from './broker.ts';
export {
  toAuditorUrl,
  createTestDatabase,
  execute,
  handOverTestDatabase,
  openTestDatabase,
  toOwnerUrl,
  toRuntimeUrl,
  testServerUrl,
  type TestDatabase,
} from './database.ts';
export { startFakeProviders, type FakeProviders } from './neighbours.ts';
export { alwaysAvailable, startListener, startPublisher, type TestListener, type TestPublisher } from './broker.ts';
export { eventually, catchFailure, catchFailures } from './eventually.ts';
export { asRegistry, asUser, callAs, identityVariables, principalToken, publicKeys } from './calls.ts';
export { removeMarkers, collect } from './calls.ts';
export { neighbour, startNeighbours, startNeighboursAt } from './neighbours.ts';
export { smallestPools, proveOwnConnections, waitForTotals, type OwnConnectionsTest } from './own-connections.ts';
export { readPdfText } from './pdf-text.ts';
export { openPlans, planModes, type Plans, type ReadWork } from './plans.ts';
export { startProxy, type Direction, type Proxy, type ProxyOptions, type Slowness } from './proxy.ts';
export { endings, isMore, manyOrFew, withOwn } from './jest.ts';
export { createdOnce, repeatCall, type RepeatResults } from './calls.ts';
export {
  createServiceDatabase,
  startService,
  startTestService,
  type TestService,
  type TestServiceOptions,
} from './service.ts';
export { useReplicatedServer, type ReplicatedServer, type Standby } from './standby.ts';
export { findSuperLinear } from './hostile.ts';
export type { HostileRequest } from './hostile-input.ts';
export { recordRoutes, type RouteTable } from './hostile.ts';
