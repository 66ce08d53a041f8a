import { expect, test } from '@jest/globals';
import { keyHolders as knownPrograms } from '@saleschannel/auth';
import {
  ADMIN,
  brokerServices,
  calleesOf,
  callersOf,
  databaseServices,
  environmentOf,
  grpcServices,
  programsWithKey,
  productionServices,
  secretVariables,
  identityOf,
} from '../src/index.ts';
import { runScript } from './support/programs.ts';
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

test('neither the development identity provider nor the sandbox is part of production', () => {
  expect(productionServices.map(({ name }) => name)).not.toContain('dev-idp');
  expect(productionServices.map(({ name }) => name)).not.toContain('sandbox');
});

/** It has no database, and only the gateway calls it. */
const isSandbox = (name: string): boolean => name === 'sandbox';
const watched = grpcServices.filter((name) => !isSandbox(name));

test('the kinds of services follow from the variables that they read', () => {
  expect(databaseServices).toEqual(watched);
  expect(brokerServices).toEqual(['identity', 'rbac', 'inventory', 'tasks', 'events', 'gateway', 'console']);
  expect(programsWithKey).toEqual([...grpcServices, 'gateway', 'portal', ADMIN]);
  expect(programsWithKey.toSorted()).toEqual(knownPrograms.toSorted());
});

test('callers follow from the addresses that programs read', () => {
  expect(calleesOf('tasks')).toEqual(['traders', 'inventory', 'registry-import']);
  expect(calleesOf('gateway').toSorted()).toEqual(grpcServices.toSorted());
  expect(calleesOf('events')).toEqual([]);
  expect(callersOf('identity')).toEqual(['rbac', 'sandbox', 'gateway', 'portal', 'console', ADMIN]);
  expect(calleesOf('console').toSorted()).toEqual(watched.toSorted());
  expect(callersOf('gateway')).toEqual([]);
});

test('secrets are the variables that programs declare as secret', () => {
  expect([...secretVariables].toSorted()).toEqual([
    'AMQP_URL',
    'ANSWER_KEYS',
    'API_KEY_PEPPER',
    'AUDIT_DATABASE_URL',
    'CONSOLE_COOKIE_KEYS',
    'CONSOLE_OIDC_CLIENT_SECRET',
    'DATABASE_URL',
    'PORTAL_COOKIE_KEYS',
    'PORTAL_OIDC_CLIENT_SECRET',
    'SERVICE_PRIVATE_KEY',
    'STATEMENT_KEYS',
    'WEBHOOK_SECRET_KEYS',
  ]);
});

test('the admin command reads the variables of the model', () => {
  const commands = [['look-up', 'x'], ['dead-letters', 'list', 'events.log'], ['reconcile']];
  const read = commands.flatMap((words) => {
    const { stderr } = runScript('apps/admin/src/main.ts', ...words);
    return [...stderr.matchAll(/\b(\w{1,99}) is not set/g)].map(([, name]) => name);
  });
  const required = Object.entries(environmentOf(ADMIN)).flatMap(([name, { optional, fallback }]) =>
    optional || fallback !== undefined ? [] : [name],
  );
  expect([...new Set(read)].toSorted()).toEqual(required.toSorted());
});
