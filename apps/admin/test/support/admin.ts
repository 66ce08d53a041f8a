import type { DomainError } from '@saleschannel/errors';
import type { ResponseOf } from '@saleschannel/grpc';
import { bare, identityVariables, neighbour, startNeighbours } from '@saleschannel/testing';
import { runCommandLine } from '../../src/command-line.ts';

export const createdOn = '2026-01-01T00:00:00.000Z';

export interface Run {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
  /** The answer. */
  json(): unknown;
}

/** One run of the command, in this process. */
export async function runIn(environment: NodeJS.ProcessEnv, ...words: string[]): Promise<Run> {
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
  });
  return { exitCode, output, errors, json: () => JSON.parse(output) as unknown };
}

export interface Admin {
  /** What the services were asked, in order. */
  readonly asked: { rpc: string; request: unknown }[];
  /** What the ledger answers when it is asked to compare, in order. */
  readonly comparisons: ResponseOf<'reconciliation.Reconcile'>[];
  /** The variables by which the command finds the services. */
  readonly environment: NodeJS.ProcessEnv;
  /** Every RPC but EnsureUser fails this way from now on. Undefined ends that. */
  fail(fault: DomainError | undefined): void;
  run(...words: string[]): Promise<Run>;
  stop(): Promise<void>;
}

const createdKey = (expiresAt: string) => ({ key: { id: 'key-1', createdOn, expiresAt }, secret: 'the-secret' });

/** The command with all services that it talks to, as one server that writes down what it is asked. */
export async function startAdmin(): Promise<Admin> {
  const asked: Admin['asked'] = [];
  const comparisons: Admin['comparisons'] = [];
  let fault: DomainError | undefined;

  const rpc =
    <Request, Response>(name: string, answer: (request: Request) => Response) =>
    async (request: Request): Promise<Response> => {
      if (fault && name !== 'EnsureUser') throw fault;
      asked.push({ rpc: name, request: bare(request) });
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
      CreateSalesChannel: rpc('CreateSalesChannel', ({ name }) => ({ id: 'channel-1', name })),
      ListSalesChannels: rpc('ListSalesChannels', () => ({ salesChannels: [{ id: 'channel-1', name: 'One' }] })),
      AssignRoles: rpc('AssignRoles', (request) => request),
    }),
    neighbour('accountHolderDirectory', ['admin'], {
      EnsureAccountHolder: rpc('EnsureAccountHolder', ({ content }) => ({
        ...content,
        accountHolderId: 'holder-1',
        registeredOn: createdOn,
      })),
    }),
    neighbour('reconciliation', ['admin'], {
      Reconcile: rpc('Reconcile', () => comparisons.shift() ?? { consumers: [] }),
    }),
  );

  const environment = {
    SERVICE_PRIVATE_KEY: identityVariables('admin')['SERVICE_PRIVATE_KEY'],
    IDENTITY_ADDRESS: server.address,
    RBAC_ADDRESS: server.address,
    REGISTRY_IMPORT_ADDRESS: server.address,
    INVENTORY_ADDRESS: server.address,
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
