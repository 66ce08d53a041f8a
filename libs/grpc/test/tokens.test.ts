import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createServiceTokens,
  generateServiceKeys,
  serviceKeyRotation,
  type KeyHolder,
  type ServiceKeys,
  type ServiceTokens,
} from '@saleschannel/auth';
import {
  createClient,
  createGrpcServer,
  createServiceIdentity,
  identityEnvironment,
  type Call,
  type GrpcServer,
} from '@saleschannel/grpc';
import { readEnvironment, silentLogger } from '@saleschannel/runtime';
import { asUser, callAs, catchFailure, identityVariables, neighbour } from '@saleschannel/testing';
import { transports } from './support/servers.ts';

let newHost: () => string;
const running: GrpcServer[] = [];
afterAll(() => Promise.all(running.map((server) => server.stop())));

const readValues = (name: KeyHolder, variables: Record<string, string> = identityVariables(name)) =>
  readEnvironment(identityEnvironment, variables);

const calls: Call[] = [];

/** Starts the rbac service with one RPC, as its own `app.ts` would with these variables. */
async function startRbac(values = readValues('rbac')): Promise<GrpcServer> {
  const { verifier } = await createServiceIdentity('rbac', values, silentLogger);
  const GetSalesChannel = async ({ salesChannelId }: { salesChannelId: string }, call: Call) => {
    calls.push(call);
    return { id: salesChannelId, name: 'One' };
  };
  const server = createGrpcServer({
    host: newHost(),
    port: 0,
    services: [neighbour('bindingDirectory', ['traders'], { GetSalesChannel })],
    tokens: verifier,
    logger: silentLogger,
  });
  await server.start();
  running.push(server);
  return server;
}

async function call(server: GrpcServer, tokens: ServiceTokens): Promise<unknown> {
  const client = createClient('bindingDirectory', { address: server.address, tokens, timeoutMs: 20_000 });
  try {
    return await client.GetSalesChannel({ salesChannelId: 'c1' });
  } finally {
    client.close();
  }
}

describe.each(transports)('%s', (_transport, hostOf) => {
  beforeEach(() => {
    newHost = hostOf;
  });

  test('a token that a service received is useless at another service', async () => {
    const rbac = await startRbac();
    const tokens = await createServiceTokens('traders', readValues('traders').SERVICE_PRIVATE_KEY);
    expect(await call(rbac, tokens)).toMatchObject({ id: 'c1' });
    const stolen = await tokens.getToken('inventory');
    expect(await catchFailure(call(rbac, { getToken: async () => stolen }))).toMatchObject({ code: 'unauthenticated' });
  });

  test('a nested call carries the principal only on request', async () => {
    const rbac = await startRbac();
    const client = await callAs('traders', 'bindingDirectory', rbac.address);
    const { principalToken } = await asUser('c1', []);
    const within: Call = {
      caller: 'gateway',
      requestId: 'r1',
      clientAddress: undefined,
      operator: undefined,
      principal: undefined,
      principalToken,
      deadline: Date.now() + 20_000,
      signal: new AbortController().signal,
      idempotencyKey: undefined,
      markReplayed: () => undefined,
    };
    calls.length = 0;
    await client.GetSalesChannel({ salesChannelId: 'c1' }, { within });
    await client.GetSalesChannel({ salesChannelId: 'c1' }, { within, forPrincipal: true });
    client.close();
    expect(calls.map(({ requestId, principalToken: token }) => [requestId, token])).toEqual([
      ['r1', undefined],
      ['r1', principalToken],
    ]);
  });

  test('a call carries the operator, single or gathered, but nested calls do not', async () => {
    const rbac = await startRbac();
    const { tokens } = await createServiceIdentity('traders', readValues('traders'), silentLogger);
    const connection = { address: rbac.address, tokens };
    const operator = 'Åsa|1';
    calls.length = 0;
    for (const gathered of [[], ['GetSalesChannel']] as const) {
      const client = createClient('bindingDirectory', connection, gathered);
      await client.GetSalesChannel({ salesChannelId: 'c1' }, { operator });
      await client.GetSalesChannel({ salesChannelId: 'c1' }, { within: calls.at(-1) as Call });
      client.close();
    }
    expect(calls.map((each) => each.operator)).toEqual([operator, undefined, operator, undefined]);
  });

  test('calls succeed in every step of a key rotation, in any order of programs', async () => {
    const first = await generateServiceKeys(['traders', 'rbac']);
    const prepared = await serviceKeyRotation.prepare(first);
    const switched = await serviceKeyRotation.switch(prepared);
    const steps = [first, prepared, switched, await serviceKeyRotation.finish(switched)];
    const toValues = (name: KeyHolder, { privateKeys, publicKeys }: ServiceKeys) =>
      readValues(name, {
        SERVICE_PRIVATE_KEY: JSON.stringify(privateKeys[name]),
        SERVICE_PUBLIC_KEYS: JSON.stringify(publicKeys),
      });
    const servers = await Promise.all(steps.map((keys) => startRbac(toValues('rbac', keys))));
    for (const [index, server] of servers.entries())
      for (const keys of steps.slice(Math.max(0, index - 1), index + 2)) {
        const { tokens } = await createServiceIdentity('traders', toValues('traders', keys), silentLogger);
        expect(await call(server, tokens)).toMatchObject({ id: 'c1' });
      }
  });
});

test('a service with an unpublished key does not start', async () => {
  const { SERVICE_PRIVATE_KEY } = (await createServiceKeys('rbac')) as { SERVICE_PRIVATE_KEY: string };
  const { SERVICE_PUBLIC_KEYS } = identityVariables('rbac');
  const values = readValues('rbac', { SERVICE_PRIVATE_KEY, SERVICE_PUBLIC_KEYS: SERVICE_PUBLIC_KEYS ?? '' });
  await expect(createServiceIdentity('rbac', values, silentLogger)).rejects.toThrow('Distribute it');
});

async function createServiceKeys(name: KeyHolder): Promise<Record<string, string>> {
  const { privateKeys, publicKeys } = await generateServiceKeys([name]);
  return {
    SERVICE_PRIVATE_KEY: JSON.stringify(privateKeys[name]),
    SERVICE_PUBLIC_KEYS: JSON.stringify(publicKeys),
  };
}
