import { z } from 'zod';
import { integrationEventSchemas, type IntegrationEventType } from '../../libs/contracts/src/index.ts';
import { samples } from '../../libs/contracts/test/support/samples.ts';
import { MAX_ENTRIES_PER_MESSAGE, MAX_MESSAGE_BYTES } from '../../libs/messaging/src/envelope-bodies.ts';
import { ledgerPartitions } from '../../libs/messaging/src/ledger-partitions.ts';
import {
  broadcasts,
  deadLetterQueueArguments,
  DELIVERY_LIMIT,
  brokerNames,
  partitionOf,
  queueArguments,
  queues,
  queuesOf,
  routingKeysOf,
  type QueueName,
} from '../../libs/messaging/src/topology.ts';

/** Virtual host of an installation (deploy/installation). */
const NAMESPACE = 'saleschannel';
const VHOST = 'saleschannel';
const BINDING_VERSION = '0.3.0';

const types = Object.keys(integrationEventSchemas) as IntegrationEventType[];
const queueNames = Object.keys(queues) as QueueName[];
const name = brokerNames(NAMESPACE);

/** Types and queues begin with the name of their service. */
const ownerOf = (typeOrQueue: string): string => String(typeOrQueue.split('.', 1)[0]);
const hearersOf = (type: IntegrationEventType): string[] =>
  Object.entries(broadcasts).flatMap(([service, heard]) =>
    (heard as readonly string[]).includes(type) ? [service] : [],
  );

const pointer = (...path: string[]): string =>
  `#/${path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
const refTo = (...path: string[]): object => ({ $ref: pointer(...path) });

function schemaOf(type: IntegrationEventType): object {
  // A reader ignores unknown members. Draft 7 is AsyncAPI's default dialect.
  const { $schema: _dialect, ...schema } = z.toJSONSchema(integrationEventSchemas[type], {
    io: 'input',
    target: 'draft-7',
  });
  return schema;
}

const isPartitioned = (type: IntegrationEventType): boolean =>
  queuesOf(type).some((queue) => partitionOf(queue) !== undefined);

const messageOf = (type: IntegrationEventType): object => ({
  name: type,
  title: type,
  summary: integrationEventSchemas[type].description,
  contentType: 'application/json',
  headers: refTo('components', 'schemas', 'Headers'),
  payload: {
    type: 'object',
    required: ['entries'],
    properties: {
      ...(isPartitioned(type)
        ? { partition: { type: 'integer', minimum: 0, maximum: Math.max(...ledgerPartitions) } }
        : {}),
      entries: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_ENTRIES_PER_MESSAGE,
        items: refTo('components', 'schemas', type),
      },
    },
  },
  bindings: { amqp: { contentEncoding: 'utf-8', messageType: type, bindingVersion: BINDING_VERSION } },
  examples: samples[type].map((sample) => ({ payload: { entries: [sample] } })),
});

const exchange = (exchangeName: string, type: string): object => ({
  name: exchangeName,
  type,
  durable: true,
  autoDelete: false,
  vhost: VHOST,
});

/** Messages with this type as their routing key. */
const eventChannel = (type: IntegrationEventType): object => ({
  title: type,
  address: isPartitioned(type) ? `${type}.{partition}` : type,
  description: [
    integrationEventSchemas[type].description,
    isPartitioned(type) ? `Only the ledger reads it. The release before the partitions sent it as "${type}".` : [],
    queuesOf(type).length === 0 ? 'Broadcast: who is not connected does not hear it.' : [],
  ]
    .flat()
    .join(' '),
  ...(isPartitioned(type)
    ? {
        parameters: {
          partition: {
            description: 'The part of the ledger that carries the transfer out.',
            enum: ledgerPartitions.map(String),
          },
        },
      }
    : {}),
  messages: { [type]: refTo('components', 'messages', type) },
  bindings: {
    amqp: { is: 'routingKey', exchange: exchange(name.exchange, 'topic'), bindingVersion: BINDING_VERSION },
  },
});

const queueBinding = (queueName: string): object => ({
  amqp: {
    is: 'queue',
    queue: { name: queueName, durable: true, exclusive: false, autoDelete: false, vhost: VHOST },
    bindingVersion: BINDING_VERSION,
  },
});

const messagesIn = (queue: QueueName): object =>
  Object.fromEntries(queues[queue].events.map((type) => [type, refTo('components', 'messages', type)]));

const queueChannel = (queue: QueueName): object => ({
  title: queue,
  address: name.queue(queue),
  description: `Declared and read by ${ownerOf(queue)} alone. Dead letters go to ${name.deadLetterQueue(queue)}.`,
  messages: messagesIn(queue),
  bindings: queueBinding(name.queue(queue)),
  'x-arguments': queueArguments(NAMESPACE, queue),
  'x-bindings': routingKeysOf(queue).map((routingKey) => ({ exchange: name.exchange, routingKey })),
});

const deadLetterChannel = (queue: QueueName): object => ({
  title: `dead letters of ${queue}`,
  address: name.deadLetterQueue(queue),
  description: `What ${ownerOf(queue)} could not handle, until an operator hands it back.`,
  messages: messagesIn(queue),
  bindings: queueBinding(name.deadLetterQueue(queue)),
  'x-arguments': deadLetterQueueArguments,
  'x-bindings': [{ exchange: name.deadLetterExchange, routingKey: name.queue(queue) }],
});

const deadLetters = (queue: QueueName): string => `${queue}.dead-letters`;

const sending = (type: IntegrationEventType): [string, object] => [
  `${ownerOf(type)}.send.${type}`,
  {
    action: 'send',
    title: `${ownerOf(type)} sends ${type}`,
    channel: refTo('channels', type),
    messages: [refTo('channels', type, 'messages', type)],
    tags: [{ name: ownerOf(type) }],
    bindings: {
      amqp: { deliveryMode: 2, mandatory: queuesOf(type).length > 0, bindingVersion: BINDING_VERSION },
    },
  },
];

const receiving = (service: string, channel: string, received: readonly string[], ack: boolean): [string, object] => [
  `${service}.receive.${channel}`,
  {
    action: 'receive',
    title: `${service} receives from ${channel}`,
    channel: refTo('channels', channel),
    messages: received.map((type) => refTo('channels', channel, 'messages', type)),
    tags: [{ name: service }],
    bindings: { amqp: { ack, bindingVersion: BINDING_VERSION } },
  },
];

const RULES = `The events that the services of the Sales Channel Service exchange over RabbitMQ.

- **Message.** An envelope: one type, in the property \`type\` and in the routing key, with 1 to
  ${MAX_ENTRIES_PER_MESSAGE} entries and about ${MAX_MESSAGE_BYTES / 1024} KiB at most.
  What was committed together travels together.
- **Properties.** \`content_type\` is application/json in UTF-8, \`app_id\` the service that sends, \`delivery_mode\` 2.
  \`message_id\` is drawn for each attempt to send: do not tell messages apart by it. There are no headers and no
  \`correlation_id\`: an entry names its task, transaction or user itself, and its \`traceparent\` the request.
- **At least once, in any order.** An entry may come more than once, and entries may come in another order. Do nothing
  with one that you had, by the id that its schema names.
- **Kept until taken.** A message is sent after the commit of what it tells, and again until the broker has it on disk.
  It stays in a queue until it is acknowledged, without a time limit. After ${DELIVERY_LIMIT} deliveries it is a dead
  letter, until an operator hands it back. What a queue did not hear because it was not there yet is not sent again for
  it. What is broadcast has no queue that lasts: who is not connected does not hear it. Broadcasts of waits are sent
  once, whether or not the broker has them.
- **Changes.** Further members may be added to an entry at any time: ignore what you do not know. What a reader of the
  last release would misread gets a new type, which ends in \`.v2\`.
- **Listening.** Who listens has a user, a queue and dead letters of its own, and never reads from a queue of this
  document. How is in examples/status-consumer.
`;

/** Contents of docs/integrate/asyncapi.yaml. */
export const asyncApiDocument = (): object => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Sales Channel Service: integration events',
    version: '1.0.0',
    description: RULES,
    license: { name: 'MIT' },
  },
  defaultContentType: 'application/json',
  servers: {
    installation: {
      host: '{broker}',
      pathname: `/${VHOST}`,
      protocol: 'amqp',
      protocolVersion: '0.9.1',
      description: 'The RabbitMQ of an installation. With TLS where its URL says amqps.',
      variables: { broker: { default: '127.0.0.1:5672', description: 'Host and port.' } },
      security: [refTo('components', 'securitySchemes', 'brokerUser')],
    },
  },
  channels: {
    ...Object.fromEntries(types.map((type) => [type, eventChannel(type)])),
    ...Object.fromEntries(queueNames.map((queue) => [queue, queueChannel(queue)])),
    ...Object.fromEntries(queueNames.map((queue) => [deadLetters(queue), deadLetterChannel(queue)])),
  },
  operations: Object.fromEntries([
    ...types.map(sending),
    ...queueNames.map((queue) => receiving(ownerOf(queue), queue, queues[queue].events, true)),
    ...types.flatMap((type) => hearersOf(type).map((service) => receiving(service, type, [type], false))),
  ]),
  components: {
    securitySchemes: {
      brokerUser: { type: 'userPassword', description: 'A user of the broker for each service and each other team.' },
    },
    messages: Object.fromEntries(types.map((type) => [type, messageOf(type)])),
    schemas: {
      Headers: { type: 'object', description: 'Nothing stands in headers but what the broker puts there.' },
      ...Object.fromEntries(types.map((type) => [type, schemaOf(type)])),
    },
  },
});
