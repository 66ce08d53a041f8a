import { newId } from '@saleschannel/primitives';
import { type Role, roles as allRoles } from '@saleschannel/auth';
import type { Logger } from '@saleschannel/runtime';
import { startNeighbours, startTestService, startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import type { Contract, Interaction } from '@saleschannel/testing/contracts';
import { createService } from '../../src/app.ts';
import { emptyTrail, createFake, fakes, identityRpcs, type Credentials, type RpcTable } from './fakes.ts';
import { newAgent, sendRaw, type RawAnswer, type RawRequest, expectContract } from './http.ts';
import { findOperation, type PublicOperation } from './public-contract.ts';

export interface CallOptions {
  /** Value of the Authorization header. */
  as?: string | undefined;
  path?: Record<string, string>;
  query?: string;
  headers?: Record<string, string | string[]>;
  body?: unknown;
}

export interface User {
  readonly authorization: string;
  readonly userId: string;
}

export interface System {
  readonly address: string;
  readonly credentials: Credentials;
  /** RPC tables of the fakes, by contract; a test may replace an RPC. */
  readonly rpcs: Record<'identity' | keyof typeof fakes, RpcTable>;
  user(options?: {
    roles?: readonly Role[];
    accountHolderId?: string;
    isSuspended?: boolean;
    salesChannelId?: string;
  }): User;
  registryKey(): User;
  /**
   * Calls an operation, by default with the example of the contract, and checks the response against the contract.
   */
  call(operation: string, options?: CallOptions): Promise<RawAnswer>;
  raw(request: RawRequest): Promise<RawAnswer>;
  stop(): Promise<void>;
}

const toBasic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

export interface SystemOptions {
  namespace?: string;
  /** Clock of sessions and rate limits, in milliseconds. Real by default. */
  now?: () => number;
  /** Silent by default. */
  securityLogger?: Logger;
  /** Silent by default. */
  logger?: Logger;
}

/** Starts the gateway with an in-process gRPC server per service. */
export async function startSystem(
  variables: Record<string, string> = {},
  { now, securityLogger, ...options }: SystemOptions = {},
): Promise<System> {
  const credentials: Credentials = { bearer: new Map(), basic: new Map() };
  const rpcs = {
    identity: identityRpcs(credentials),
    ...Object.fromEntries(Object.entries(fakes).map(([name, table]) => [name, { ...table }])),
  } as System['rpcs'];
  const trail = createFake('auditLog', emptyTrail);
  const servers = {
    IDENTITY: await startNeighbours(createFake('identity', rpcs.identity), trail),
    RBAC: await startNeighbours(createFake('rbac', rpcs.rbac), createFake('auditLog', rpcs.audit)),
    TRADERS: await startNeighbours(createFake('traders', rpcs.traders), trail),
    INVENTORY: await startNeighbours(
      createFake('inventory', rpcs.inventory),
      createFake('publicRegister', rpcs.publicRegister),
      createFake('ledger', rpcs.ledger),
      createFake('holdings', rpcs.holdings),
      trail,
    ),
    TASKS: await startNeighbours(createFake('tasks', rpcs.tasks)),
    EVENTS: await startNeighbours(createFake('events', rpcs.events)),
    WEBHOOKS: await startNeighbours(createFake('webhooks', rpcs.webhooks), trail),
    SANDBOX: await startNeighbours(createFake('sandbox', rpcs.sandbox)),
    REGISTRY_IMPORT: await startNeighbours(
      createFake('registryImport', rpcs.registryImport),
      createFake('holderPortal', rpcs.holderPortal),
      trail,
    ),
  };
  const addresses = Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [`${name}_ADDRESS`, server.address]),
  );
  const gateway = await startTestService(
    createService({ ...(now ? { now } : {}), ...(securityLogger ? { securityLogger } : {}) }),
    {
      // The gateway has no database.
      databaseUrl: 'postgresql://unused',
      // A sandbox has all operations. A missing folder makes tests independent of the built documentation.
      variables: {
        GATEWAY_PORT: '0',
        SANDBOX: 'true',
        DOCS_FOLDER: '/nonexistent',
        ...addresses,
        ...variables,
      },
      ...options,
    },
  );
  const agent = newAgent();

  const user: System['user'] = ({ roles = allRoles, accountHolderId, isSuspended, salesChannelId = 'c1' } = {}) => {
    const userId = newId();
    const token = `token-${newId()}`;
    credentials.bearer.set(token, {
      kind: 'user',
      userId,
      salesChannelId,
      roles,
      accountHolderId,
      isSuspended,
      isRegistry: accountHolderId === 'h1',
    });
    return { authorization: `Bearer ${token}`, userId };
  };
  const registryKey = (): User => {
    const keyId = newId();
    credentials.basic.set(`${keyId}:se:cret`, {
      surface: 'REGISTRY',
      principal: { kind: 'registry', keyId, accountHolderId: 'h1' },
    });
    return { authorization: toBasic(keyId, 'se:cret'), userId: keyId };
  };

  const system: System = {
    address: gateway.address,
    credentials,
    rpcs,
    user,
    registryKey,
    raw: (request) => sendRaw(gateway.address, agent, request),
    async call(name, callOptions = {}) {
      const operation = findOperation(name);
      const answer = await system.raw(buildRequest(operation, callOptions, () => defaultCredential(operation, system)));
      expectContract(operation, answer);
      return answer;
    },
    async stop() {
      agent.destroy();
      await gateway.stop();
      await Promise.all(Object.values(servers).map((server) => server.stop()));
    },
  };
  return system;
}

/** Counts the calls of Authenticate from now on. */
export function countAuthenticateCalls({ rpcs }: System): () => number {
  const authenticate = rpcs.identity['Authenticate'];
  let calls = 0;
  rpcs.identity['Authenticate'] = (request, call) => {
    calls += 1;
    return authenticate?.(request, call);
  };
  return () => calls;
}

function defaultCredential({ access }: PublicOperation, system: System): string | undefined {
  if (access['principal'] === 'public') return undefined;
  return access['principal'] === 'registry'
    ? system.registryKey().authorization
    : system.user({ accountHolderId: 'h1' }).authorization;
}

export function buildRequest(
  operation: PublicOperation,
  options: CallOptions,
  credential: () => string | undefined,
): RawRequest {
  const parametersIn = (location: string) => operation.parameters.filter((parameter) => parameter.in === location);
  const path = parametersIn('path').reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(options.path?.[name] ?? String(example))),
    operation.path,
  );
  const query =
    options.query ??
    parametersIn('query')
      .filter(({ required }) => required === true)
      .map(({ name, example }) => `${name}=${String(example)}`)
      .join('&');
  const authorization = 'as' in options ? options.as : credential();
  const body = 'body' in options ? options.body : operation.example;
  const idempotency: Record<string, string> = parametersIn('header').some(({ name }) => name === 'Idempotency-Key')
    ? { 'Idempotency-Key': newId() }
    : {};
  return {
    method: operation.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(operation.mediaType === undefined || body === undefined ? {} : { 'Content-Type': operation.mediaType }),
      ...idempotency,
      ...options.headers,
    },
    body:
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
        ? (body as string | undefined)
        : JSON.stringify(body),
  };
}

/** The gateway with providers that return the minimum of its contracts. */
export interface ContractedSystem extends System {
  /** In the order of the contracts. */
  readonly providers: readonly FakeProviders[];
  /** Calls an operation and returns the body. */
  read(operation: string, options?: CallOptions): Promise<unknown>;
  /** Calls an operation and returns the status. */
  statusOf(operation: string, options?: CallOptions): Promise<number>;
}

const isOfTrail = ({ rpc }: Interaction): boolean => rpc.startsWith('auditLog.');

/** Returns the part of a contract about the audit trail. All trails are read concurrently. */
export const selectTrail = (contract: Contract): Contract => ({
  ...contract,
  interactions: contract.interactions.filter(isOfTrail),
});

/** Returns the rest of a contract. */
export const withoutTrail = (contract: Contract): Contract => ({
  ...contract,
  interactions: contract.interactions.filter((each) => !isOfTrail(each)),
});

/** Each provider has its own server, since some of their RPCs are the same. */
export async function startWithProviders(...contracts: readonly Contract[]): Promise<ContractedSystem> {
  const providers = await Promise.all(contracts.map((contract) => startFakeProviders(contract)));
  const addresses = contracts.map(({ provider }, index) => [
    `${provider.toUpperCase().replaceAll('-', '_')}_ADDRESS`,
    providers[index]?.address,
  ]);
  const system = await startSystem(Object.fromEntries(addresses) as Record<string, string>);
  return {
    ...system,
    read: async (operation, options) => JSON.parse((await system.call(operation, options)).text) as unknown,
    statusOf: async (operation, options) => (await system.call(operation, options)).status,
    providers,
    async stop() {
      await system.stop();
      const stopped = await Promise.allSettled(providers.map((provider) => provider.stop()));
      const faults = stopped.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
  };
}
