import { expect, test } from '@jest/globals';
import { registrations as events } from '@saleschannel/events/rpc';
import type { Registration } from '@saleschannel/grpc';
import { registrations as identity } from '@saleschannel/identity/rpc';
import { registrations as inventory } from '@saleschannel/inventory/rpc';
import { registrations as rbac } from '@saleschannel/rbac/rpc';
import { registrations as registryImport } from '@saleschannel/registry-import/rpc';
import { registrations as sandbox } from '@saleschannel/sandbox/rpc';
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
  sandbox,
  webhooks,
};

/** Path of an RPC → who may call it. */
function callersOfRpcs(service: ServiceName, isSandbox: boolean): Map<string, readonly string[]> {
  const registrations = registered[service]?.({ isSandbox } as never) ?? [];
  return new Map(
    registrations.flatMap(({ contract, rpcs }) =>
      Object.entries(rpcs).map(([name, { callers }]): [string, readonly string[]] => [
        `${contract.name}/${name}`,
        callers,
      ]),
    ),
  );
}

test.each(grpcServices)('%s lets in the programs that have its address, and no others', (service) => {
  const callers = [...callersOfRpcs(service, true).values()].flat();
  expect([...new Set(callers)].toSorted()).toEqual([...new Set(callersOf(service).map(knownAs))].toSorted());
});

test('the sandbox does in a sandbox what an operator does, and elsewhere only what users may', () => {
  const open = (isSandbox: boolean): string[] =>
    grpcServices.flatMap((service) =>
      [...callersOfRpcs(service, isSandbox)].flatMap(([rpc, callers]) => (callers.includes('sandbox') ? [rpc] : [])),
    );
  const inTheNameOfUsers = [
    'rbac.v1.RbacService/ReplaceSalesChannel',
    'tasks.v1.TasksService/GetTask',
    'tasks.v1.TasksService/StartTransfers',
    'traders.v1.TradersService/AcceptProposal',
  ];
  expect(open(false).toSorted()).toEqual(inTheNameOfUsers);
  expect(open(true).toSorted()).toEqual(
    [
      ...inTheNameOfUsers,
      'identity.v1.UserDirectoryService/IssueRegistryKey',
      'registry_import.v1.AccountHolderAdministrationService/SetKind',
      'registry_import.v1.AccountHolderAdministrationService/SuspendAccountHolder',
      'webhooks.v1.EndpointSandboxService/BreakEndpoints',
      'webhooks.v1.EndpointSandboxService/LeaveEndpoints',
      'registry_import.v1.AccountHolderDirectoryService/EnsureAccountHolder',
    ].toSorted(),
  );
});
