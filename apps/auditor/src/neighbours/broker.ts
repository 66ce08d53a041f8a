import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type ChannelModel } from 'amqplib';
import type { Check } from '../domain/check.ts';

/** Where messages are. The user needs no right to any queue: it sees how many messages wait, and can read none. */
export interface BrokerAddress {
  readonly url: string;
  /** What the names of queues begin with. */
  readonly namespace: string;
  /** The file with the CAs that vouch for it. Undefined: those that everybody trusts do. */
  readonly authorities?: string | undefined;
}

/** The queues of the system. */
export const queueNames = [
  'inventory.transfers',
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((partition) => `inventory.transfers.${partition}`),
  'tasks.outcomes',
  'events.log',
];

interface Waiting {
  readonly messages: number;
  readonly consumers: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A broker that says nothing for two to three times as long is gone. */
const HEARTBEAT_SECONDS = 10;
const NOT_FOUND = 404;

/** Undefined for a queue that is not there. The broker then closes the channel, so each question has one of its own. */
async function ask(connection: ChannelModel, queue: string): Promise<Waiting | undefined> {
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  try {
    const { messageCount, consumerCount } = await channel.checkQueue(queue);
    // Nobody waits for the answer: it never comes when the connection ends before.
    channel.close().catch(() => undefined);
    return { messages: messageCount, consumers: consumerCount };
  } catch (error) {
    if ((error as { code?: unknown }).code === NOT_FOUND) return undefined;
    throw error;
  }
}

/** @throws Error that names the broker, and not the password of its user */
async function connected<T>(
  { url, authorities }: BrokerAddress,
  work: (connection: ChannelModel) => Promise<T>,
): Promise<T> {
  const address = new URL(url);
  address.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  let connection: ChannelModel | undefined;
  try {
    connection = await connect(address.href, {
      timeout: CONNECT_TIMEOUT_MS,
      ...(authorities === undefined ? {} : { ca: [readFileSync(authorities)] }),
      clientProperties: { connection_name: 'auditor' },
    });
    // Whatever is under way fails by itself. Without a listener the process would end.
    connection.on('error', () => undefined);
    return await work(connection);
  } catch (error) {
    throw new Error(`The broker cannot be queried: ${(error as Error).message}`, { cause: error });
  } finally {
    if (connection) await Promise.race([once(connection, 'close'), connection.close()]).catch(() => undefined);
  }
}

interface Question {
  readonly about: string;
  readonly mayPass: boolean;
  /** What is wrong with a queue, by what follows its name. */
  readonly faults: Readonly<Record<string, (waiting: Waiting | undefined) => string | undefined>>;
}

const brokerCheck = (name: string, broker: BrokerAddress, { about, mayPass, faults }: Question): Check<unknown> => ({
  name,
  about,
  databases: [],
  mayPass,
  run: (_source, recorder) =>
    connected(broker, async (connection) => {
      for (const queue of queueNames)
        for (const [suffix, faultOf] of Object.entries(faults)) {
          const full = `${broker.namespace}.${queue}${suffix}`;
          const waiting = await ask(connection, full);
          if (waiting) recorder.looked(1);
          const fault = faultOf(waiting);
          if (fault !== undefined) recorder.found(full, fault);
        }
    }),
});

const NOT_THERE = 'the queue does not exist';

/**
 * What waits in the queues themselves shows in the databases, where one of them does not know what another one told. A
 * message that was given up shows nowhere else when it makes no difference there, and neither does one that nobody
 * knows how to read.
 */
export const brokerChecks = (address: BrokerAddress): Check<unknown>[] => [
  brokerCheck('dead-letters', address, {
    about: 'There are no dead letters',
    mayPass: false,
    faults: {
      '.dead-letters': (waiting) => {
        if (!waiting) return NOT_THERE;
        return waiting.messages > 0 ? `dead letters: ${waiting.messages}` : undefined;
      },
    },
  }),
  brokerCheck('messages', address, {
    about: 'Every message has a consumer that knows its type',
    mayPass: true,
    // How many there are changes from one moment to the next. That there are some must not stay so.
    faults: {
      '': (waiting) => {
        if (!waiting) return NOT_THERE;
        return waiting.messages > 0 && waiting.consumers === 0 ? 'messages wait without a consumer' : undefined;
      },
      '.unknown': (waiting) => (waiting && waiting.messages > 0 ? 'messages of an unknown type wait' : undefined),
    },
  }),
];
