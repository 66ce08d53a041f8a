import type { DomainError } from '@saleschannel/errors';
import type { ResponseOf } from '@saleschannel/grpc';
import { identityVariables, neighbour, removeMarkers, startNeighbours } from '@saleschannel/testing';
import { runCommandLine, type LocalStack } from '../../src/command-line.ts';

export const createdOn = '2026-01-01T00:00:00.000Z';

export interface Run {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
  /** Parses the output. */
  json(): unknown;
}

/** Runs the command in this process. */
export const runIn = (environment: NodeJS.ProcessEnv, ...words: string[]): Promise<Run> =>
  runBeside(undefined, environment, ...words);

/** Runs the command with a local stack, or without one. */
export async function runBeside(
  stack: LocalStack | undefined,
  environment: NodeJS.ProcessEnv,
  ...words: string[]
): Promise<Run> {
  let output = '';
  let errors = '';
  const exitCode = await runCommandLine(words, {
    environment,
    write: (text) => {
      output += text;
    },
    writeError: (text) => {
      errors += text;
    },
    findLocalStack: () => stack,
  });
  return { exitCode, output, errors, json: () => JSON.parse(output) as unknown };
}

export interface Admin {
  /** Calls of the services, in order. */
  readonly asked: { rpc: string; request: unknown }[];
  /** Answers of the ledger to `Reconcile`, in order. */
  readonly comparisons: ResponseOf<'reconciliation.Reconcile'>[];
  /** Variables of the command. */
  readonly environment: NodeJS.ProcessEnv;
  /** Lets every RPC except EnsureUser fail. Undefined ends the failures. */
  fail(fault: DomainError | undefined): void;
  run(...words: string[]): Promise<Run>;
  stop(): Promise<void>;
}

const channel = (id: string, status: string) => ({ id, name: 'One', status });
const holder = (accountHolderId: string) => ({ accountHolderId, name: 'A holder', kind: 'HOLDER', status: 'ACTIVE' });

const createdKey = (expiresAt: string) => ({ key: { id: 'key-1', createdOn, expiresAt }, secret: 'the-secret' });

/** Starts one server in place of all services, which records its calls. */
export async function startAdmin(): Promise<Admin> {
  const asked: Admin['asked'] = [];
  const comparisons: Admin['comparisons'] = [];
  let fault: DomainError | undefined;

  const rpc =
    <Request, Response>(name: string, answer: (request: Request) => Response) =>
    async (request: Request): Promise<Response> => {
      if (fault && name !== 'EnsureUser') throw fault;
      asked.push({ rpc: name, request: removeMarkers(request) });
      return answer(request);
    };

  const server = await startNeighbours(
    neighbour('userDirectory', ['admin'], {
      EnsureUser: rpc('EnsureUser', ({ issuer, subject }) => ({ id: `user-${subject}`, issuer, subject })),
      SetAccountHolder: rpc('SetAccountHolder', ({ userId, accountHolderId }) => ({
        id: userId,
        issuer: 'i',
        subject: 's',
        ...(accountHolderId === undefined ? {} : { accountHolderId }),
      })),
      IssueApiKey: rpc('IssueApiKey', () => createdKey('2027-01-01T00:00:00.000Z')),
      IssueRegistryKey: rpc('IssueRegistryKey', ({ expiresAt }) => createdKey(expiresAt)),
    }),
    neighbour('rbacAdministration', ['admin'], {
      CreateSalesChannel: rpc('CreateSalesChannel', ({ name }) => ({ ...channel('channel-1', 'ACTIVE'), name })),
      ListSalesChannels: rpc('ListSalesChannels', () => ({ salesChannels: [channel('channel-1', 'ACTIVE')] })),
      AssignRoles: rpc('AssignRoles', (request) => request),
      ListBindings: rpc('ListBindings', () => ({
        bindings: [{ userId: 'u1', salesChannelId: 'channel-1', roles: [] }],
      })),
      EndBinding: rpc('EndBinding', ({ userId }) =>
        userId === 'unbound'
          ? {}
          : { binding: { userId, salesChannelId: 'channel-1', roles: [] }, wasLastAdministrator: userId === 'last' },
      ),
      RenameSalesChannel: rpc('RenameSalesChannel', ({ salesChannelId, name }) => ({
        ...channel(salesChannelId, 'ACTIVE'),
        name,
      })),
      SuspendSalesChannel: rpc('SuspendSalesChannel', ({ salesChannelId }) => channel(salesChannelId, 'SUSPENDED')),
      CloseSalesChannel: rpc('CloseSalesChannel', ({ salesChannelId, reason }) => ({
        ...channel(salesChannelId, 'SUSPENDED'),
        closedAt: createdOn,
        closedReason: reason,
      })),
      CountChannelUsers: rpc('CountChannelUsers', () => ({})),
      ResumeSalesChannel: rpc('ResumeSalesChannel', ({ salesChannelId }) => channel(salesChannelId, 'ACTIVE')),
    }),
    neighbour('accountHolderDirectory', ['admin'], {
      EnsureAccountHolder: rpc('EnsureAccountHolder', ({ content }) => ({
        ...content,
        accountHolderId: 'holder-1',
        registeredOn: createdOn,
        kind: 'HOLDER',
        status: 'ACTIVE',
      })),
    }),
    neighbour('reconciliation', ['admin'], {
      Reconcile: rpc('Reconcile', () => comparisons.shift() ?? { consumers: [] }),
    }),
    neighbour('identityAdministration', ['admin'], {
      ListUsers: rpc('ListUsers', ({ limit }) => ({
        users: ['u1', 'u2']
          .slice(0, limit)
          .map((id) => ({ id, issuer: 'i', subject: id, accountHolderId: 'holder-1' })),
      })),
      ListKeys: rpc('ListKeys', () => ({ keys: [{ id: 'k1', kind: 'API', userId: 'u1', createdOn }] })),
      RevokeKey: rpc('RevokeKey', ({ keyId }) => ({ keyIds: keyId === 'gone' ? [] : [keyId, 'made-with-it'] })),
      RevokeUserKeys: rpc('RevokeUserKeys', () => ({ keyIds: ['k1'] })),
      EndUserSessions: rpc('EndUserSessions', () => ({ sessions: [{ id: 's1', client: 'portal' }] })),
      DisableUser: rpc('DisableUser', ({ userId, reason }) => ({ id: userId, disabledReason: reason })),
      EnableUser: rpc('EnableUser', ({ userId }) => ({ id: userId })),
    }),
    neighbour('accountHolderAdministration', ['admin'], {
      FindAccountHolders: rpc('FindAccountHolders', () => ({ accountHolders: [holder('holder-1')] })),
      SetKind: rpc('SetKind', ({ accountHolderId, kind }) => ({ ...holder(accountHolderId), kind })),
      SuspendAccountHolder: rpc('SuspendAccountHolder', ({ accountHolderId }) => ({
        ...holder(accountHolderId),
        status: 'SUSPENDED',
      })),
      ResumeAccountHolder: rpc('ResumeAccountHolder', ({ accountHolderId }) => holder(accountHolderId)),
    }),
    neighbour('lookUp', ['admin'], {
      LookUp: rpc('LookUp', ({ id }) => ({ things: id === 'nothing' ? [] : [{ kind: 'trader', facts: { id } }] })),
    }),
  );

  const environment = {
    SERVICE_PRIVATE_KEY: identityVariables('admin')['SERVICE_PRIVATE_KEY'],
    IDENTITY_ADDRESS: server.address,
    RBAC_ADDRESS: server.address,
    REGISTRY_IMPORT_ADDRESS: server.address,
    WEBHOOKS_ADDRESS: server.address,
    TRADERS_ADDRESS: server.address,
    INVENTORY_ADDRESS: server.address,
    TASKS_ADDRESS: server.address,
    EVENTS_ADDRESS: server.address,
  };
  return {
    asked,
    comparisons,
    environment,
    fail(next) {
      fault = next;
    },
    run: (...words) => runIn(environment, ...words),
    stop: () => server.stop(),
  };
}
