import { expect, test } from '@jest/globals';
import { registrations as events } from '@saleschannel/events/rpc';
import type { Registration } from '@saleschannel/grpc';
import { registrations as identity } from '@saleschannel/identity/rpc';
import { registrations as inventory } from '@saleschannel/inventory/rpc';
import { registrations as rbac } from '@saleschannel/rbac/rpc';
import { registrations as registryImport } from '@saleschannel/registry-import/rpc';
import { registrations as tasks } from '@saleschannel/tasks/rpc';
import { registrations as traders } from '@saleschannel/traders/rpc';
import { registrations as webhooks } from '@saleschannel/webhooks/rpc';
import { callersOf, grpcServices, knownAs, type ServiceName } from '../src/index.ts';

/** Handlers are made of a context and not called here, so any will do. */
const registered: Partial<Record<ServiceName, (context: never) => Registration[]>> = {
  identity,
  rbac,
  traders,
  inventory,
  tasks,
  events,
  'registry-import': registryImport,
  webhooks,
};

test.each(grpcServices)('%s lets in the programs that have its address, and no others', (service) => {
  const registrations = registered[service]?.({} as never) ?? [];
  const callers = registrations.flatMap(({ rpcs }) => Object.values(rpcs).flatMap((rpc) => rpc.callers));
  expect([...new Set(callers)].toSorted()).toEqual([...new Set(callersOf(service).map(knownAs))].toSorted());
});
