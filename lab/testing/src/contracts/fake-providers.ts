import { serviceOnlyRule, type AccessRule, type KeyHolder } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { DomainError } from '@saleschannel/errors';
import type { Call, Registration, ServiceClient, ServiceKey } from '@saleschannel/grpc';
import { callAs, principalToken, removeMarkers, collect } from '../calls.ts';
import { startNeighbours } from '../neighbour.ts';
import { createPrincipal, parseRpc, type Contract, type Interaction } from './contract.ts';
import { toExample, isRequest } from './forms.ts';

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
