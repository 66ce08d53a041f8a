import { serviceOnly, type AccessRule, type KeyHolder } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { DomainError } from '@saleschannel/errors';
import type { Call, Registration, ServiceClient, ServiceKey } from '@saleschannel/grpc';
import { callAs, principalToken } from '../identities.ts';
import { bare, collect } from '../messages.ts';
import { startNeighbours } from '../neighbour.ts';
import { principalOf, rpcOf, type Contract, type Interaction } from './contract.ts';
import { exampleOf, isRequest } from './forms.ts';

/** The providers of one consumer, as far as its contracts say what they answer. */
export interface FakeProviders {
  readonly address: string;
  /** What a test's calls are made within. It ends with the test's patience. */
  readonly call: Call;
  /**
   * A client of one of them, for the consumer.
   * @param provider for a service that several programs serve
   */
  client<K extends ServiceKey>(key: K, provider?: KeyHolder): Promise<ServiceClient<K>>;
  /** @throws Error when something else was asked than the contracts say, or not all of it */
  stop(): Promise<void>;
}

const CALLS_END_AFTER_MS = 60_000;

/** A message as it arrives: with everything that was left out. */
function arrived(each: Interaction, message: unknown): unknown {
  const { key, name } = rpcOf(each);
  const method = services[key].definition[name];
  if (!method) throw new Error(`there is no RPC ${each.rpc}`);
  const received = (each: unknown): unknown => bare(method.requestDeserialize(method.requestSerialize(each)));
  return method.requestStream ? (message as unknown[]).map(received) : received(message);
}

const isFor = (each: Interaction, request: unknown): boolean => {
  const pattern = each.request(each.values);
  return isRequest(pattern, arrived(each, exampleOf(pattern)), request);
};

function assertDistinct(interactions: readonly Interaction[]): void {
  for (const each of interactions) {
    const request = arrived(each, exampleOf(each.request(each.values)));
    const same = interactions.filter((other) => other.rpc === each.rpc && isFor(other, request));
    if (same.length > 1)
      throw new Error(`the values of these must differ: ${same.map(({ given }) => given).join(', ')}`);
  }
}

/** The examples, with a token that is one. */
const valuesOf = async ({ as, values }: Interaction): Promise<Interaction['values']> =>
  as && 'principalToken' in values
    ? { ...values, principalToken: await principalToken(principalOf(as(values))) }
    : values;

/** A principal within the request or the answer is no principal of the call. */
function ruleOf({ as, values }: Interaction): AccessRule {
  if (!as || 'principalToken' in values) return serviceOnly;
  return 'kind' in as(values) ? { principal: 'registry' } : { principal: 'user', roles: [] };
}

/** Serves the services that the contracts of one consumer name, and answers with what they say and nothing more. */
export async function startFakeProviders(...contracts: readonly Contract[]): Promise<FakeProviders> {
  const [first] = contracts;
  if (!first || contracts.some(({ consumer }) => consumer !== first.consumer))
    throw new Error('these are not the contracts of one consumer');
  const interactions = contracts.flatMap((contract) => contract.interactions);
  assertDistinct(interactions);
  const unused = new Set(interactions);
  const surprises: string[] = [];

  const answer = async (rpc: string, received: unknown): Promise<unknown> => {
    const request = bare(received);
    const found = interactions.find((each) => each.rpc === rpc && isFor(each, request));
    if (!found) {
      surprises.push(`no contract names ${rpc} with ${JSON.stringify(request)}`);
      throw new DomainError('internal', 'no contract names this call');
    }
    unused.delete(found);
    if (found.refusal) throw new DomainError(found.refusal, 'as the contract says');
    return exampleOf(found.answer?.(await valuesOf(found)));
  };

  const registrationOf = (key: ServiceKey): Registration => {
    const contract: Registration['contract'] = services[key];
    const rpcs = Object.entries(contract.definition).map(([name, { requestStream, responseStream }]) => {
      const rpc = `${key}.${name}`;
      const unary = async (request: unknown) =>
        answer(rpc, requestStream ? await collect(request as AsyncIterable<unknown>) : request);
      const streaming = async function* (request: unknown) {
        yield* (await answer(rpc, request)) as unknown[];
      };
      const named = interactions.find((each) => each.rpc === rpc);
      const access = named ? ruleOf(named) : serviceOnly;
      return [name, { callers: [first.consumer], access, handler: responseStream ? streaming : unary }];
    });
    return { contract, rpcs: Object.fromEntries(rpcs) as Registration['rpcs'] };
  };

  const keys = [...new Set(interactions.map((each) => rpcOf(each).key))];
  const server = await startNeighbours(...keys.map(registrationOf));
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
      const idle = [...unused].map(({ rpc, given }) => `nothing asks ${rpc} given ${given}`);
      if (surprises.length + idle.length > 0) throw new Error([...surprises, ...idle].join('\n'));
    },
  };
}
