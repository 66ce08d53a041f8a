import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type ChannelModel } from 'amqplib';
import type { Check } from '../domain/check.ts';

/** Address of the broker. The user needs no permissions: it sees the number of messages, but cannot read any. */
export interface BrokerAddress {
  readonly url: string;
  /** Prefix of the names of queues. */
  readonly namespace: string;
  /** File with the CA certificates to trust; the public CAs if undefined. */
  readonly authorities?: string | undefined;
}

/** All queues of the system. */
export const queueNames = [
  'inventory.transfers',
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((partition) => `inventory.transfers.${partition}`),
  'tasks.outcomes',
  'events.log',
];

interface QueueState {
  readonly messages: number;
  readonly consumers: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A connection silent for two to three times as long is closed. */
const HEARTBEAT_SECONDS = 10;
const NOT_FOUND = 404;

/** Undefined for an unknown queue. The broker then closes the channel, so each query uses its own. */
async function readQueue(connection: ChannelModel, queue: string): Promise<QueueState | undefined> {
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  try {
    const { messageCount, consumerCount } = await channel.checkQueue(queue);
    // Not awaited: the reply never arrives if the connection ends first.
    channel.close().catch(() => undefined);
    return { messages: messageCount, consumers: consumerCount };
  } catch (error) {
    if ((error as { code?: unknown }).code === NOT_FOUND) return undefined;
    throw error;
  }
}

/** @throws Error that names the broker, without the password */
async function withConnection<T>(
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
    // Pending calls fail by themselves. Without a listener, the process would end.
    connection.on('error', () => undefined);
    return await work(connection);
  } catch (error) {
    throw new Error(`The broker cannot be queried: ${(error as Error).message}`, { cause: error });
  } finally {
    if (connection) await Promise.race([once(connection, 'close'), connection.close()]).catch(() => undefined);
  }
}

interface QueueCheck {
  readonly about: string;
  readonly isTransient: boolean;
  /** Finds faults of queues, by the suffix of their names. */
  readonly faults: Readonly<Record<string, (state: QueueState | undefined) => string | undefined>>;
}

const brokerCheck = (
  name: string,
  broker: BrokerAddress,
  { about, isTransient, faults }: QueueCheck,
): Check<unknown> => ({
  name,
  about,
  isTransient,
  run: (_source, recorder) =>
    withConnection(broker, async (connection) => {
      for (const queue of queueNames)
        for (const [suffix, findFault] of Object.entries(faults)) {
          const fullName = `${broker.namespace}.${queue}${suffix}`;
          const state = await readQueue(connection, fullName);
          if (state) recorder.countRows(1);
          const fault = findFault(state);
          if (fault !== undefined) recorder.report(fullName, fault);
        }
    }),
});

const MISSING = 'the queue does not exist';

/**
 * Checks for dead letters and unhandled messages. The checks of the databases find only messages whose effect is
 * missing there.
 */
export const brokerChecks = (address: BrokerAddress): Check<unknown>[] => [
  brokerCheck('dead-letters', address, {
    about: 'There are no dead letters',
    isTransient: false,
    faults: {
      '.dead-letters': (state) => {
        if (!state) return MISSING;
        return state.messages > 0 ? `dead letters: ${state.messages}` : undefined;
      },
    },
  }),
  brokerCheck('messages', address, {
    about: 'Every message has a consumer that knows its type',
    isTransient: true,
    // Without counts, which change constantly: the second look compares the texts.
    faults: {
      '': (state) => {
        if (!state) return MISSING;
        return state.messages > 0 && state.consumers === 0 ? 'messages wait without a consumer' : undefined;
      },
      '.unknown': (state) => (state && state.messages > 0 ? 'messages of an unknown type wait' : undefined),
    },
  }),
];
