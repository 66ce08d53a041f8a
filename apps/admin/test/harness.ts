import { createTokenVerifier, serviceOnly } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import type { DomainError } from '@saleschannel/errors';
import { createGrpcServer, implement } from '@saleschannel/grpc';
import { silentLogger } from '@saleschannel/runtime';
import { identityVariables } from '@saleschannel/testing';
import { runCommandLine } from '../src/command-line.ts';

export const createdOn = '2026-01-01T00:00:00.000Z';

/** All services that the command talks to, as one server that writes down what it is asked. */
export async function startServices() {
  const asked: { rpc: string; request: unknown }[] = [];
  let fault: DomainError | undefined;

  const rpc = <Request, Response>(name: string, answer: (request: Request) => Response) => ({
    callers: ['admin'],
    access: serviceOnly,
    async handler(request: Request): Promise<Response> {
      if (fault && name !== 'EnsureUser') throw fault;
      asked.push({ rpc: name, request });
      return answer(request);
    },
  });
  const notAsked = { callers: [], access: serviceOnly, handler: () => Promise.reject(new Error('not asked here')) };
  const created = (expiresAt: string) => ({ key: { id: 'key-1', createdOn, expiresAt }, secret: 'the-secret' });

  const server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    tokens: createTokenVerifier(JSON.parse(identityVariables('admin')['SERVICE_PUBLIC_KEYS']!) as never),
    logger: silentLogger,
    services: [
      implement(services.userDirectory, {
        EnsureUser: rpc('EnsureUser', ({ issuer, subject }) => ({ id: `user-${subject}`, issuer, subject })),
        SetAccountHolder: rpc('SetAccountHolder', ({ userId, accountHolderId }) => ({
          id: userId,
          issuer: 'i',
          subject: 's',
          accountHolderId,
        })),
        IssueApiKey: rpc('IssueApiKey', () => created('2027-01-01T00:00:00.000Z')),
        IssueRegistryKey: rpc('IssueRegistryKey', ({ expiresAt }) => created(expiresAt)),
        GetUser: notAsked,
      }),
      implement(services.rbacAdministration, {
        CreateSalesChannel: rpc('CreateSalesChannel', ({ name }) => ({ id: 'channel-1', name })),
        ListSalesChannels: rpc('ListSalesChannels', () => ({ salesChannels: [{ id: 'channel-1', name: 'One' }] })),
        AssignRoles: rpc('AssignRoles', (request) => request),
      }),
      implement(services.accountHolderDirectory, {
        EnsureAccountHolder: rpc('EnsureAccountHolder', (fields) => ({
          ...fields,
          accountHolderId: 'holder-1',
          registeredOn: createdOn,
        })),
        GetAccountHolders: notAsked,
      }),
    ],
  });
  await server.start();
  return {
    asked,
    fail: (error: DomainError | undefined) => void (fault = error),
    address: server.address,
    environment: {
      SERVICE_PRIVATE_KEY: identityVariables('admin')['SERVICE_PRIVATE_KEY'],
      IDENTITY_ADDRESS: server.address,
      RBAC_ADDRESS: server.address,
      REGISTRY_IMPORT_ADDRESS: server.address,
    } as NodeJS.ProcessEnv,
    stop: () => server.stop(),
  };
}

/** One run of the command, in this process. */
export async function run(
  environment: NodeJS.ProcessEnv,
  ...words: string[]
): Promise<{ exitCode: number; output: string; errors: string; json(): unknown }> {
  let output = '';
  let errors = '';
  const exitCode = await runCommandLine(words, {
    environment,
    write: (text) => void (output += text),
    writeError: (text) => void (errors += text),
  });
  return { exitCode, output, errors, json: () => JSON.parse(output) as unknown };
}
