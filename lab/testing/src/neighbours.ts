import {
  createTokenVerifier,
  keyHolders,
  serviceOnlyRule,
  type KeyHolder,
  type TokenVerifier,
  type AccessRule,
} from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { DomainError } from '@saleschannel/errors';
import {
  createGrpcServer,
  type GrpcServer,
  type Registration,
  type RpcDefinitions,
  type ServiceKey,
  type Call,
  type ServiceClient,
} from '@saleschannel/grpc';
import { silentLogger } from '@saleschannel/runtime';
import { publicKeys, callAs, principalToken, removeMarkers, collect } from './calls.ts';
import { createPrincipal, parseRpc, type Contract, type Interaction } from './contracts/contract.ts';
import { toExample, isRequest } from './contracts/forms.ts';

type Handlers<K extends ServiceKey> = {
  readonly [Name in keyof RpcDefinitions<K, unknown>]?: ReturnType<RpcDefinitions<K, unknown>[Name]['handler']>;
};

/** Implements some RPCs of another team's service. Its other RPCs reject every caller. */
export function neighbour<K extends ServiceKey>(
  key: K,
  callers: readonly string[],
  handlers: Handlers<K>,
): Registration {
  const names = Object.keys(services[key].definition);
  const given = handlers as Readonly<Record<string, unknown>>;
  const rpcs = names.map((name) => [
    name,
    { access: serviceOnlyRule, callers: given[name] ? callers : [], handler: given[name] },
  ]);
  return { contract: services[key], rpcs: Object.fromEntries(rpcs) as Registration['rpcs'] };
}

/** Shared per program by all neighbours of a test file, because a verifier is large and slow to create. */
const verifiersOfAll = new Map<KeyHolder, TokenVerifier>();

function verifierFor(owner: KeyHolder): TokenVerifier {
  const verifier = verifiersOfAll.get(owner) ?? createTokenVerifier(publicKeys, owner);
  verifiersOfAll.set(owner, verifier);
  return verifier;
}

/** One server represents several programs here, so it accepts the tokens of all of them. */
function getVerifier(registrations: readonly Registration[]): TokenVerifier {
  const owners = new Set(
    registrations.flatMap(({ contract }) => (contract.owner as KeyHolder | undefined) ?? keyHolders),
  );
  const verifiers = [...owners].map(verifierFor);
  const byAny = async <T>(check: (verifier: TokenVerifier) => Promise<T>): Promise<T> => {
    const results = await Promise.allSettled(verifiers.map(check));
    const refusal = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    for (const result of results) if (result.status === 'fulfilled') return result.value;
    throw refusal?.reason;
  };
  return {
    verifyPrincipal: (token) => byAny((verifier) => verifier.verifyPrincipal(token)),
    verifyService: (token) => byAny((verifier) => verifier.verifyService(token)),
  };
}

/** Serves implementations of other services on a free port. */
export const startNeighbours = (...registrations: Registration[]): Promise<GrpcServer> =>
  startNeighboursAt('127.0.0.1', ...registrations);

/** The same at a host or at `in-process:<name>`. */
export async function startNeighboursAt(host: string, ...registrations: Registration[]): Promise<GrpcServer> {
  const server = createGrpcServer({
    host,
    port: 0,
    services: registrations,
    tokens: getVerifier(registrations),
    logger: silentLogger,
  });
  await server.start();
  return server;
}

/** Fake providers of one consumer, which return the replies of its contracts. */
export interface FakeProviders {
  readonly address: string;
  /** Call that a test's requests belong to. It ends with the test's time limit. */
  readonly call: Call;
  /**
   * Client of one provider, for the consumer.
   * @param provider required if several programs serve the service
   */
  client<K extends ServiceKey>(key: K, provider?: KeyHolder): Promise<ServiceClient<K>>;
  /** @throws Error if the consumer made calls that no contract names, or did not make all of them */
  stop(): Promise<void>;
}

const CALLS_END_AFTER_MS = 60_000;

/** Returns a message as the server receives it, with defaults for all omitted fields. */
function transmit(each: Interaction, message: unknown): unknown {
  const { key, name } = parseRpc(each);
  const method = services[key].definition[name];
  if (!method) throw new Error(`There is no RPC ${each.rpc}.`);
  const received = (each: unknown): unknown => removeMarkers(method.requestDeserialize(method.requestSerialize(each)));
  return method.requestStream ? (message as unknown[]).map(received) : received(message);
}

const isFor = (each: Interaction, request: unknown): boolean => {
  const pattern = each.request(each.values);
  return isRequest(pattern, transmit(each, toExample(pattern)), request);
};

function assertDistinct(interactions: readonly Interaction[]): void {
  for (const each of interactions) {
    const request = transmit(each, toExample(each.request(each.values)));
    const same = interactions.filter((other) => other.rpc === each.rpc && isFor(other, request));
    if (same.length > 1)
      throw new Error(`These interactions need different values: ${same.map(({ given }) => given).join(', ')}`);
  }
}

/** The example values, with a valid principal token. */
const withToken = async ({ as, values }: Interaction): Promise<Interaction['values']> =>
  as && 'principalToken' in values
    ? { ...values, principalToken: await principalToken(createPrincipal(as(values))) }
    : values;

/** A principal token inside a request or an answer is not the principal of the call. */
function toAccessRule({ as, values }: Interaction): AccessRule {
  if (!as || 'principalToken' in values) return serviceOnlyRule;
  return 'kind' in as(values) ? { principal: 'registry' } : { principal: 'user', roles: [] };
}

/** Serves the services that one consumer's contracts name, and answers with exactly their content. */
export async function startFakeProviders(...contracts: readonly Contract[]): Promise<FakeProviders> {
  const [first] = contracts;
  if (!first || contracts.some(({ consumer }) => consumer !== first.consumer))
    throw new Error('All contracts must have the same consumer.');
  const interactions = contracts.flatMap((contract) => contract.interactions);
  assertDistinct(interactions);
  const unused = new Set(interactions);
  const unexpected: string[] = [];

  const answer = async (rpc: string, received: unknown): Promise<unknown> => {
    const request = removeMarkers(received);
    const found = interactions.find((each) => each.rpc === rpc && isFor(each, request));
    if (!found) {
      unexpected.push(`No contract has ${rpc} with ${JSON.stringify(request)}.`);
      throw new DomainError('internal', 'No contract has this call.');
    }
    unused.delete(found);
    if (found.refusal) throw new DomainError(found.refusal, 'failure of the contract');
    return toExample(found.answer?.(await withToken(found)));
  };

  const createRegistration = (key: ServiceKey): Registration => {
    const contract: Registration['contract'] = services[key];
    const rpcs = Object.entries(contract.definition).map(([name, { requestStream, responseStream }]) => {
      const rpc = `${key}.${name}`;
      const unary = async (request: unknown) =>
        answer(rpc, requestStream ? await collect(request as AsyncIterable<unknown>) : request);
      const streaming = async function* (request: unknown) {
        yield* (await answer(rpc, request)) as unknown[];
      };
      const named = interactions.find((each) => each.rpc === rpc);
      const access = named ? toAccessRule(named) : serviceOnlyRule;
      return [name, { callers: [first.consumer], access, handler: responseStream ? streaming : unary }];
    });
    return { contract, rpcs: Object.fromEntries(rpcs) as Registration['rpcs'] };
  };

  const keys = [...new Set(interactions.map((each) => parseRpc(each).key))];
  const server = await startNeighbours(...keys.map(createRegistration));
  const clients: { close(): void }[] = [];
  return {
    address: server.address,
    call: {
      caller: 'gateway',
      requestId: undefined,
      clientAddress: undefined,
      operator: undefined,
      principal: undefined,
      principalToken: undefined,
      deadline: Date.now() + CALLS_END_AFTER_MS,
      signal: new AbortController().signal,
      idempotencyKey: undefined,
      markReplayed: () => undefined,
    },
    async client(key, provider) {
      const client = await callAs(first.consumer, key, server.address, provider);
      clients.push(client);
      return client;
    },
    async stop() {
      for (const client of clients) client.close();
      await server.stop();
      const idle = [...unused].map(({ rpc, given }) => `No test calls ${rpc} given ${given}.`);
      if (unexpected.length + idle.length > 0) throw new Error([...unexpected, ...idle].join('\n'));
    },
  };
}
