export { listAuditedChanges as auditedChanges } from './audit-trail.ts';
export { testBrokerUrl, testNamespace, withQueues, type TestQueues } from './broker.ts';
export {
  toAuditorUrl as auditorUrlOf,
  createTestDatabase,
  execute,
  handOverTestDatabase,
  openTestDatabase,
  toOwnerUrl as ownerUrlOf,
  toRuntimeUrl as runtimeUrlOf,
  testServerUrl,
  type TestDatabase,
} from './database.ts';
export { startFakeProviders, type FakeProviders } from './contracts/fake-providers.ts';
export { alwaysAvailable, startListener, startPublisher, type TestListener, type TestPublisher } from './events.ts';
export { eventually, catchFailure as failureOf, catchFailures as failuresOf } from './eventually.ts';
export { asRegistry, asUser, callAs, identityVariables, principalToken, publicKeys } from './identities.ts';
export { removeMarkers as bare, collect } from './messages.ts';
export { neighbour, startNeighbours, startNeighboursAt } from './neighbour.ts';
export {
  smallestPools as fewestConnections,
  proveOwnConnections,
  waitForTotals as totalsAddedUp,
  type OwnConnectionsTest as OwnConnections,
} from './own-connections.ts';
export { readPdfText as textOfPdf } from './pdf-text.ts';
export { openPlans, planModes, type Plans, type ReadWork } from './plans.ts';
export { startProxy, type Direction, type Proxy, type ProxyOptions, type Slowness } from './proxy.ts';
export { endings, isMore, manyOrFew, withOwn } from './jest.ts';
export { createdOnce as madeOnce, repeatCall, type RepeatResults as Repeats } from './repeats.ts';
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
export { recordRoutes, type RouteTable } from './registered-routes.ts';
