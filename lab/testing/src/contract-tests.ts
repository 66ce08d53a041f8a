import { afterAll, describe, expect, test } from '@jest/globals';
import type { KeyHolder } from '@saleschannel/auth';
import type { ServiceClient, ServiceKey } from '@saleschannel/grpc';
import { createPrincipal, parseRpc, type Interaction, readContracts } from './contracts/contract.ts';
import { toExample, comparePattern, Form } from './contracts/forms.ts';
import { catchFailure } from './eventually.ts';
import { callAs, principalToken, removeMarkers, collect } from './calls.ts';
import type { TestService } from './service.ts';

/** Functions that bring the service into each state that contracts name, and return its values. */
export type States = Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>>;

interface Provider {
  readonly service: Pick<TestService, 'address' | 'addressInside'>;
  readonly states: States;
}

type AnyClient = Readonly<Record<string, (request: unknown, options: object) => unknown>> & { close(): void };

/** Sets the state. @throws Error if the provider does not know it, or returns fewer values than the contract needs */
async function setState({ given, values, as }: Interaction, states: States): Promise<Record<string, string>> {
  const state = states[given];
  if (!state) throw new Error(`The provider has no state "${given}".`);
  const found: Record<string, string> = { ...(await state()) };
  if (as && 'principalToken' in values) found['principalToken'] = await principalToken(createPrincipal(as(found)));
  const missing = Object.keys(values).filter((name) => found[name] === undefined);
  if (missing.length > 0) throw new Error(`The state "${given}" lacks the values ${missing.join(', ')}.`);
  return found;
}

const isStream = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

async function* toStream(messages: readonly unknown[]): AsyncGenerator<unknown> {
  yield* messages;
}

/** Ways to reach the service. */
const transports = { 'over a socket': 'address', 'inside the process': 'addressInside' } as const;
type Transport = keyof typeof transports;

/** Makes the call of an interaction and returns the differences from the contract. */
async function findFaults(each: Interaction, states: States, client: AnyClient): Promise<string[]> {
  const values = await setState(each, states);
  const hasPrincipal = each.as && !('principalToken' in each.values);
  const options =
    hasPrincipal && each.as ? { principalToken: await principalToken(createPrincipal(each.as(values))) } : {};
  const pattern = each.answer?.(values);
  const atMost = pattern instanceof Form ? pattern.atMost : undefined;
  const ask = async (): Promise<unknown> => {
    const request = toExample(each.request(values));
    const answer = client[parseRpc(each).name]?.(Array.isArray(request) ? toStream(request) : request, options);
    return isStream(answer) ? collect(answer, atMost) : removeMarkers(await answer);
  };
  if (each.refusal === undefined) return comparePattern(pattern, await ask());
  const { code, message } = await catchFailure(ask());
  return code === each.refusal ? [] : [`the call fails with ${code ?? message} and not with ${each.refusal}`];
}

/**
 * Tests that a service fulfils the contracts of all its consumers, over both transports. Await it at the top of a file.
 * @param running the real service, after its start
 */
export async function contractTests(provider: KeyHolder, running: () => Provider): Promise<void> {
  const contracts = await readContracts(provider);
  const clients = new Map<string, ServiceClient<ServiceKey>>();
  afterAll(() => {
    for (const client of clients.values()) client.close();
  });
  const getClient = async (consumer: KeyHolder, key: ServiceKey, transport: Transport): Promise<AnyClient> => {
    const name = `${consumer} ${key} ${transport}`;
    const address = running().service[transports[transport]];
    const client = clients.get(name) ?? (await callAs(consumer, key, address, provider));
    clients.set(name, client);
    return client as unknown as AnyClient;
  };

  for (const { consumer, program, interactions } of contracts) {
    describe.each(Object.keys(transports) as Transport[])(`contract of ${program}, %s`, (transport) => {
      for (const each of interactions) {
        test(`${each.rpc}, given ${each.given}`, async () => {
          const client = await getClient(consumer, parseRpc(each).key, transport);
          expect(await findFaults(each, running().states, client)).toEqual([]);
        });
      }
    });
  }

  test('every state is named by a contract', () => {
    const named = contracts.flatMap(({ interactions }) => interactions.map(({ given }) => given));
    expect(Object.keys(running().states).toSorted()).toEqual([...new Set(named)].toSorted());
  });
}
