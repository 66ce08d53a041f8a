import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName } from '@saleschannel/installation';
import {
  queueFamilies,
  queues,
  queuesOfFamily,
  routingKeyOf,
  type QueueFamily,
  type QueueName,
} from '@saleschannel/messaging';
import { shuffle } from '@saleschannel/testing/draw';
import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { Installation } from '../fleet/installation.ts';
import type { RabbitMq } from '../fleet/servers.ts';
import {
  zonelessTarget,
  createGlobalFault,
  noHealing,
  type Fault,
  type FaultOccurrence,
  kill,
  pause,
  type Heal,
} from './fault.ts';

const SERVER = [zonelessTarget('RabbitMQ')];

const control = ({ running }: RabbitMq, ...words: [string, ...string[]]): Promise<void> => running.control(...words);

/** Sets a limit of the node so that it is always exceeded, and later back to the configured value. */
const alarm =
  (command: string, exceeded: readonly string[], usual: string): Fault['inject'] =>
  async ({ broker }): Promise<Heal> => {
    await control(broker, command, ...exceeded);
    return () => control(broker, command, usual);
  };

export const brokerFaults: readonly Fault[] = [
  createGlobalFault('broker-kill', SERVER, [0, 8], 2, ({ broker }) => kill(broker)),
  createGlobalFault('broker-pause', SERVER, [3, 12], 2, ({ broker }) => pause(broker)),
  createGlobalFault('broker-connections-closed', SERVER, [0, 0], 2, async ({ broker }) => {
    await control(broker, 'close_all_connections', '--global', 'chaos');
    return noHealing;
  }),
  createGlobalFault(
    'memory-alarm',
    SERVER,
    [3, 10],
    1,
    alarm('set_vm_memory_high_watermark', ['absolute', '1MB'], '0.4'),
  ),
  createGlobalFault('disk-alarm', SERVER, [3, 10], 1, alarm('set_disk_free_limit', ['100000GB'], '50MB')),
];

type Work = (operator: Operator, installation: Installation) => Promise<void>;

/** Creates a fault that an operator could cause at queues. */
const operatorFault = (
  kind: string,
  seconds: Fault['seconds'],
  work: (hit: FaultOccurrence, ...given: Parameters<Work>) => Promise<void>,
): Fault =>
  createGlobalFault(kind, queueFamilies.map(zonelessTarget), seconds, 1, async (installation, hit) => {
    const { connection, channel } = await installation.connectToBroker();
    const queues = queuesOfFamily(hit.target as QueueFamily);
    try {
      await work(hit, new Operator(channel, installation.place.namespace, queues), installation);
    } finally {
      await connection.close().catch(() => undefined);
    }
    return noHealing;
  });

export const messageFaults: readonly Fault[] = [
  operatorFault('queue-purged', [1, 4], (hit, operator, installation) =>
    withMessagesWaiting(installation, hit, () => operator.purge()),
  ),
  operatorFault('queue-deleted', [1, 4], (hit, operator, installation) =>
    withMessagesWaiting(installation, hit, () => operator.delete()),
  ),
  // Consumers declare the bindings again.
  operatorFault('bindings-deleted', [0, 0], (_hit, operator) => operator.unbind()),
  operatorFault('messages-duplicated', [3, 10], async ({ forMs, random }, operator, { log }) => {
    const messages = await operator.tap(forMs);
    await operator.publish(shuffle([...messages, ...messages], random));
    log(`  ${messages.length} messages duplicated twice`);
  }),
  operatorFault('messages-delayed', [2, 8], async ({ forMs, random }, operator, { log }) => {
    await operator.unbind();
    const messages = await operator.tap(forMs);
    await operator.bind();
    await operator.publish(shuffle(messages, random));
    log(`  ${messages.length} messages delayed and reordered`);
  }),
];

/** Pauses the consumers of queues for a while, so that messages accumulate. */
async function withMessagesWaiting(
  { fleet }: Installation,
  { target, forMs }: FaultOccurrence,
  work: () => Promise<void>,
): Promise<void> {
  const [service] = target.split('.') as [ServiceName];
  const consumers = fleet.listReplicas(service);
  for (const replica of consumers) replica.pause();
  try {
    await delay(forMs);
    await work();
  } finally {
    for (const replica of consumers) replica.resume();
  }
}

interface Tapped {
  readonly queue: QueueName;
  readonly message: GetMessage;
}

/** A user of the broker with all rights on some queues. */
class Operator {
  readonly #channel: ConfirmChannel;
  readonly #namespace: string;
  readonly #queues: readonly QueueName[];

  constructor(channel: ConfirmChannel, namespace: string, queues: readonly QueueName[]) {
    this.#channel = channel;
    this.#namespace = namespace;
    this.#queues = queues;
  }

  async purge(): Promise<void> {
    for (const queue of this.#queues) await this.#channel.purgeQueue(this.#toQueueName(queue));
  }

  async delete(): Promise<void> {
    for (const queue of this.#queues) await this.#channel.deleteQueue(this.#toQueueName(queue));
  }

  async unbind(): Promise<void> {
    for (const queue of this.#queues)
      for (const key of listRoutingKeys(queue))
        await this.#channel.unbindQueue(this.#toQueueName(queue), this.#exchange, key);
  }

  async bind(): Promise<void> {
    for (const queue of this.#queues) await this.#bind(this.#toQueueName(queue), queue);
  }

  /** Collects messages published to the queues. Bound queues receive them too. */
  async tap(forMs: number): Promise<Tapped[]> {
    const taps: (readonly [QueueName, string])[] = [];
    for (const queue of this.#queues) {
      const { queue: name } = await this.#channel.assertQueue('', { exclusive: true });
      await this.#bind(name, queue);
      taps.push([queue, name]);
    }
    await delay(forMs);
    const tapped: Tapped[] = [];
    for (const [queue, name] of taps) {
      for (const key of listRoutingKeys(queue)) await this.#channel.unbindQueue(name, this.#exchange, key);
      for (let message = await this.#channel.get(name); message; message = await this.#channel.get(name)) {
        this.#channel.ack(message);
        tapped.push({ queue, message });
      }
    }
    return tapped;
  }

  /** Publishes messages directly to their queues, like replayed dead letters. */
  async publish(messages: readonly Tapped[]): Promise<void> {
    for (const { queue, message } of messages) {
      const { headers, contentType, type, messageId, timestamp } = message.properties;
      const properties = { headers, contentType, type, messageId, timestamp, persistent: true, mandatory: true };
      this.#channel.publish(this.#exchange, this.#toQueueName(queue), message.content, properties);
    }
    await this.#channel.waitForConfirms();
  }

  async #bind(name: string, queue: QueueName): Promise<void> {
    for (const key of listRoutingKeys(queue)) await this.#channel.bindQueue(name, this.#exchange, key);
  }

  get #exchange(): string {
    return `${this.#namespace}.events`;
  }

  #toQueueName(queue: QueueName): string {
    return `${this.#namespace}.${queue}`;
  }
}

function listRoutingKeys(queue: QueueName): string[] {
  const { events, ...rest } = queues[queue];
  return events.map((event) => routingKeyOf(event, 'partition' in rest ? rest.partition : undefined));
}
