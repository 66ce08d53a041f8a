import { expect, test } from '@jest/globals';
import { callersOf, grpcServices, identityOf } from '../src/index.ts';
import { callersOfRpcs } from './support/registered.ts';

test.each(grpcServices)('%s lets in the programs that have its address, and no others', (service) => {
  const callers = [...callersOfRpcs(service, true).values()].flat();
  expect([...new Set(callers)].toSorted()).toEqual([...new Set(callersOf(service).map(identityOf))].toSorted());
});

test('the sandbox service has the rights of operators in a sandbox, and of users elsewhere', () => {
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
