import { stringify } from 'yaml';
import { z } from 'zod';
import { integrationEventSchemas, type IntegrationEventType } from '../../libs/contracts/src/index.ts';
import { samples } from '../../libs/contracts/test/support/samples.ts';
import { MAX_ENTRIES_PER_MESSAGE, MAX_MESSAGE_BYTES } from '../../libs/messaging/src/envelope.ts';
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
import type { Files } from '../generate/files.ts';

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
    isPartitioned(type) ? `Only the ledger reads it. Releases before the partitions sent it as "${type}".` : [],
    queuesOf(type).length === 0 ? 'Broadcast: consumers that are not connected miss it.' : [],
  ]
    .flat()
    .join(' '),
  ...(isPartitioned(type)
    ? {
        parameters: {
          partition: {
            description: 'Partition of the ledger that settles the transfer.',
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
  description: `Messages that ${ownerOf(queue)} could not handle, until an operator returns them to the queue.`,
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
  Entries of one transaction share a message.
- **Properties.** \`content_type\` is application/json in UTF-8, \`app_id\` the sending service, \`delivery_mode\` 2.
  Each attempt to send has a new \`message_id\`: do not identify messages by it. There are no headers and no
  \`correlation_id\`: an entry names its task, transaction or user itself, and its \`traceparent\` names the request.
- **At least once, in any order.** An entry may arrive more than once, and entries may arrive in another order. Skip
  repeated entries, by the id that the schema names.
- **Kept until acknowledged.** A service sends a message after the commit of the change, and repeats it until the broker
  has stored it on disk. It stays in a queue until it is acknowledged, without a time limit. After ${DELIVERY_LIMIT}
  deliveries it becomes a dead letter, until an operator returns it to the queue. A new queue receives no earlier
  messages. Broadcasts have no durable queue: consumers that are not connected miss them. Broadcasts of waits are sent
  once, without confirmation by the broker.
- **Changes.** Any release may add members to an entry: ignore unknown ones. A change that readers of the last release
  would misread gets a new type, which ends in \`.v2\`.
- **Listening.** Each listener has its own user, queue and dead letters, and never reads from a queue of this document.
  examples/status-consumer is one.
`;

const HEAD = '# Generated by "npm run generate" from libs/contracts and libs/messaging. Change those.\n';
// Not every reader of YAML follows aliases.
const options = { lineWidth: 0, blockQuote: 'literal', aliasDuplicateObjects: false } as const;

/** The contract of the events on RabbitMQ, from their schemas and the queues that they reach. */
export const asyncApi = (): Files => ({
  'docs/integrate/asyncapi.yaml': HEAD + stringify(asyncApiDocument(), options),
});

const asyncApiDocument = (): object => ({
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
      Headers: { type: 'object', description: 'Empty, except for headers of the broker.' },
      ...Object.fromEntries(types.map((type) => [type, schemaOf(type)])),
    },
  },
});
