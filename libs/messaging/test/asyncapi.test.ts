import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { newId } from '@saleschannel/primitives';
import { parse } from 'yaml';
import { eventually } from '@saleschannel/testing';
import { integrationEventSchemas } from '@saleschannel/contracts';
import { queues, type QueueName } from '../src/index.ts';
import { declareExchanges, declareQueue, brokerNames } from '../src/topology.ts';
import { createBroker, startConnected, startOperator, type Operator } from './support/messaging.ts';

/** The document docs/integrate/asyncapi.yaml, as other teams read it. */

interface Document {
  readonly channels: Record<string, Channel>;
  readonly operations: Record<string, { action: string; channel: { $ref: string }; messages: { $ref: string }[] }>;
  readonly components: {
    readonly messages: Record<string, { payload: object; examples: { payload: object }[] }>;
    readonly schemas: Record<string, object>;
  };
}
interface Channel {
  readonly address: string;
  readonly bindings: { amqp: { is: string; queue?: { name: string }; exchange?: { name: string; type: string } } };
  readonly 'x-arguments'?: Record<string, unknown>;
  readonly 'x-bindings'?: { exchange: string; routingKey: string }[];
}

const document = parse(
  readFileSync(new URL('../../../docs/integrate/asyncapi.yaml', import.meta.url), 'utf8'),
) as unknown as Document;
const NAMESPACE_OF_DOCUMENT = 'saleschannel';
const types = Object.keys(integrationEventSchemas);
const examples = Object.entries(document.components.messages).flatMap(([type, { examples: all }]) =>
  all.map(({ payload }, index): [string, number, object] => [type, index, payload]),
);

/** Without Ajv's own meta-schema: AsyncAPI's schema contains one. */
const ajv = (): Ajv => {
  const validator = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false });
  formats.default(validator);
  return validator;
};

const resolveReference = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], document);

const listReferences = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([member, inner]) => (member === '$ref' ? [String(inner)] : listReferences(inner)));

/** Creates a validator for payloads of a message type. */
function createValidator(type: string): (payload: unknown) => string[] {
  const message = document.components.messages[type];
  const validate = ajv().compile({ ...message?.payload, components: document.components });
  return (payload) => (validate(payload) ? [] : (validate.errors ?? []).map(({ message: text }) => String(text)));
}

let operator: Operator;
beforeAll(async () => {
  operator = await startOperator();
});
afterAll(() => operator.stop());

test('it is an AsyncAPI 3 document without broken references', () => {
  const validate = ajv().compile(specs.schemas['3.0.0'] as object);
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  for (const reference of listReferences(document))
    expect([reference, resolveReference(reference)]).not.toContain(undefined);
});

test('it has every event, with one sender and its receivers', () => {
  expect(Object.keys(document.components.messages).toSorted()).toEqual(types.toSorted());
  for (const type of types) {
    const operations = Object.values(document.operations).filter(({ messages }) =>
      messages.some(({ $ref }) => $ref.endsWith(`/${type}`)),
    );
    expect(operations.filter(({ action }) => action === 'send')).toHaveLength(1);
    expect(operations.filter(({ action }) => action === 'receive').length).toBeGreaterThan(0);
  }
});

test.each(examples)('an example matches its schema: %s, %i', (type, _index, payload) => {
  expect(createValidator(type)(payload)).toEqual([]);
});

test.each(types)('an entry without its first member does not match its schema: %s', (type) => {
  const [{ payload } = { payload: {} }] = document.components.messages[type]?.examples ?? [];
  const [entry] = (payload as { entries: Record<string, unknown>[] }).entries;
  const [first = '', ...others] = Object.entries(entry ?? {});
  expect(createValidator(type)({ entries: [Object.fromEntries(others)] })).not.toEqual([]);
  expect(createValidator(type)({ entries: [] })).not.toEqual([]);
  expect(first).toBeDefined();
});

test('its queues, arguments and bindings are those that services declare', async () => {
  const namespace = newId();
  const broker = await startConnected(createBroker(namespace));
  try {
    await declareExchanges(operator.channel, namespace);
    for (const queue of Object.keys(queues) as QueueName[]) await declareQueue(operator.channel, broker, queue);
    const toNamespace = <T>(value: T): T =>
      JSON.parse(JSON.stringify(value).replaceAll(`"${NAMESPACE_OF_DOCUMENT}.`, `"${namespace}.`)) as T;
    const described = Object.values(document.channels).filter(({ bindings }) => bindings.amqp.is === 'queue');
    expect(described).toHaveLength(Object.keys(queues).length * 2);
    for (const channel of described.map(toNamespace)) {
      const name = channel.bindings.amqp.queue?.name ?? '';
      // The broker refuses different arguments (406) and missing queues (404).
      await operator.channel.checkQueue(name);
      await operator.channel.assertQueue(name, { durable: true, arguments: channel['x-arguments'] });
    }
    for (const { bindings } of Object.values(document.channels).map(toNamespace)) {
      const { exchange } = bindings.amqp;
      if (exchange) await operator.channel.assertExchange(exchange.name, exchange.type, { durable: true });
    }
    // A message with each routing key of a queue arrives there.
    const arrived = new Set<string>();
    const live = described.map(toNamespace).filter(({ address }) => !address.endsWith('.dead-letters'));
    const expected = live.flatMap(({ address, 'x-bindings': bound = [] }) =>
      bound.map((binding) => ({ address, ...binding })),
    );
    for (const { address } of live)
      await operator.channel.consume(
        address,
        (message) => void arrived.add(`${address} by ${message?.content.toString()}`),
        { noAck: true },
      );
    for (const { exchange, routingKey } of expected)
      operator.channel.publish(exchange, routingKey, Buffer.from(routingKey));
    await operator.channel.waitForConfirms();
    const missing = (): string[] =>
      expected.map(({ address, routingKey }) => `${address} by ${routingKey}`).filter((each) => !arrived.has(each));
    await eventually(() => Promise.resolve(missing().length === 0), 'a message by each binding');
  } finally {
    for (const queue of Object.keys(queues) as QueueName[])
      for (const each of [brokerNames(namespace).queue(queue), brokerNames(namespace).deadLetterQueue(queue)])
        await operator.channel.deleteQueue(each);
    await broker.stop();
  }
});
