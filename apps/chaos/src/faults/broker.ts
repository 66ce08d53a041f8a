import { setTimeout as delay } from 'node:timers/promises';
import type { ConfirmChannel, GetMessage } from 'amqplib';
import { drawn } from '@saleschannel/testing/draw';
import { NAMESPACE, type ServiceName } from '@saleschannel/installation';
import {
  queueFamilies,
  queues,
  queuesOfFamily,
  routingKeyOf,
  type QueueFamily,
  type QueueName,
} from '@saleschannel/messaging';
import type { Installation } from '../fleet/installation.ts';
import { everywhere, nothingToHeal, type Fault, type Hit } from './fault.ts';

const SERVER = everywhere('RabbitMQ');
const families = queueFamilies.map(everywhere);
const EXCHANGE = `${NAMESPACE}.events`;
/** Those of the configuration that the node starts with. */
const USUAL = { memory: '0.4', disk: '50MB' } as const;
const EVERYTHING = { memory: ['absolute', '1MB'], disk: '100TB' } as const;

export const brokerFaults: readonly Fault[] = [
  {
    kind: 'broker-kill',
    hits: 'all',
    targets: [SERVER],
    seconds: [0, 8],
    weight: 2,
    async inject({ broker }) {
      await broker.kill();
      return () => broker.start();
    },
  },
  {
    kind: 'broker-pause',
    hits: 'all',
    targets: [SERVER],
    seconds: [3, 12],
    weight: 2,
    inject({ broker }) {
      broker.pause();
      return Promise.resolve(() => Promise.resolve(broker.resume()));
    },
  },
  {
    kind: 'broker-connections-closed',
    hits: 'all',
    targets: [SERVER],
    seconds: [0, 0],
    weight: 2,
    async inject({ broker }) {
      await broker.running.control('close_all_connections', '--global', 'chaos');
      return nothingToHeal;
    },
  },
  {
    kind: 'memory-alarm',
    hits: 'all',
    targets: [SERVER],
    seconds: [3, 10],
    weight: 1,
    async inject({ broker }) {
      await broker.running.control('set_vm_memory_high_watermark', ...EVERYTHING.memory);
      return () => broker.running.control('set_vm_memory_high_watermark', USUAL.memory);
    },
  },
  {
    kind: 'disk-alarm',
    hits: 'all',
    targets: [SERVER],
    seconds: [3, 10],
    weight: 1,
    async inject({ broker }) {
      await broker.running.control('set_disk_free_limit', EVERYTHING.disk);
      return () => broker.running.control('set_disk_free_limit', USUAL.disk);
    },
  },
  queueFault('queue-purged', 'purgeQueue'),
  queueFault('queue-deleted', 'deleteQueue'),
  {
    kind: 'bindings-deleted',
    hits: 'all',
    targets: families,
    seconds: [0, 0],
    weight: 1,
    async inject(installation, hit) {
      // Their consumers bind them again.
      await asOperator(installation, (channel) => forEachQueue(hit, (queue) => unbind(channel, queue)));
      return nothingToHeal;
    },
  },
  {
    kind: 'messages-duplicated',
    hits: 'all',
    targets: families,
    seconds: [3, 10],
    weight: 2,
    async inject(installation, hit) {
      await asOperator(installation, async (channel) => {
        const messages = await tap(channel, hit);
        await publish(channel, drawn([...messages, ...messages], hit.random));
        installation.log(`  ${messages.length} messages sent twice more`);
      });
      return nothingToHeal;
    },
  },
  {
    kind: 'messages-delayed',
    hits: 'all',
    targets: families,
    seconds: [2, 8],
    weight: 2,
    async inject(installation, hit) {
      await asOperator(installation, async (channel) => {
        await forEachQueue(hit, (queue) => unbind(channel, queue));
        const messages = await tap(channel, hit);
        await forEachQueue(hit, (queue) => bind(channel, nameOf(queue), queue));
        await publish(channel, drawn(messages, hit.random));
        installation.log(`  ${messages.length} messages held back, and sent in another order`);
      });
      return nothingToHeal;
    },
  },
];

/** Throws away what waits in the queues. */
function queueFault(kind: string, method: 'purgeQueue' | 'deleteQueue'): Fault {
  return {
    kind,
    hits: 'all',
    targets: families,
    seconds: [1, 4],
    weight: 1,
    async inject(installation, hit) {
      await withMessagesWaiting(installation, hit, (channel) =>
        forEachQueue(hit, async (queue) => void (await channel[method](nameOf(queue)))),
      );
      return nothingToHeal;
    },
  };
}

const nameOf = (queue: QueueName): string => `${NAMESPACE}.${queue}`;
const keysOf = (queue: QueueName): string[] => {
  const { events, ...rest } = queues[queue];
  const partition = 'partition' in rest ? rest.partition : undefined;
  return events.map((event) => routingKeyOf(event, partition));
};

async function forEachQueue({ target }: Hit, work: (queue: QueueName) => Promise<void>): Promise<void> {
  for (const queue of queuesOfFamily(target as QueueFamily)) await work(queue);
}

async function unbind(channel: ConfirmChannel, queue: QueueName): Promise<void> {
  for (const key of keysOf(queue)) await channel.unbindQueue(nameOf(queue), EXCHANGE, key);
}

async function bind(channel: ConfirmChannel, name: string, queue: QueueName): Promise<void> {
  for (const key of keysOf(queue)) await channel.bindQueue(name, EXCHANGE, key);
}

async function asOperator(installation: Installation, work: (channel: ConfirmChannel) => Promise<void>): Promise<void> {
  const { connection, channel } = await installation.connectToBroker();
  try {
    await work(channel);
  } finally {
    await connection.close().catch(() => undefined);
  }
}

/** Stops the consumers of queues for a while, so that something is in these. */
async function withMessagesWaiting(
  installation: Installation,
  { target, forMs }: Hit,
  work: (channel: ConfirmChannel) => Promise<void>,
): Promise<void> {
  const [service] = target.split('.') as [ServiceName];
  const consumers = installation.fleet.replicasOf(service);
  await asOperator(installation, async (channel) => {
    for (const replica of consumers) replica.signal('SIGSTOP');
    try {
      await delay(forMs);
      await work(channel);
    } finally {
      for (const replica of consumers) replica.signal('SIGCONT');
    }
  });
}

interface Tapped {
  readonly queue: QueueName;
  readonly message: GetMessage;
}

/** Collects what is published for the queues while the fault lasts. Queues that are bound get it too. */
async function tap(channel: ConfirmChannel, hit: Hit): Promise<Tapped[]> {
  const taps: (readonly [QueueName, string])[] = [];
  await forEachQueue(hit, async (queue) => {
    const { queue: name } = await channel.assertQueue('', { exclusive: true });
    await bind(channel, name, queue);
    taps.push([queue, name]);
  });
  await delay(hit.forMs);
  const tapped: Tapped[] = [];
  for (const [queue, name] of taps) {
    for (const key of keysOf(queue)) await channel.unbindQueue(name, EXCHANGE, key);
    for (let message = await channel.get(name); message; message = await channel.get(name)) {
      channel.ack(message);
      tapped.push({ queue, message });
    }
  }
  return tapped;
}

/** Hands messages to their queues alone, as replayed dead letters are. */
async function publish(channel: ConfirmChannel, messages: readonly Tapped[]): Promise<void> {
  for (const { queue, message } of messages) {
    const { headers, contentType, type, messageId, timestamp } = message.properties;
    channel.publish(EXCHANGE, nameOf(queue), message.content, {
      headers,
      contentType,
      type,
      messageId,
      timestamp,
      persistent: true,
      mandatory: true,
    });
  }
  await channel.waitForConfirms();
}
