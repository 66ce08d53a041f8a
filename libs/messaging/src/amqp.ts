import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { connect, type Channel, type ChannelModel, type ConfirmChannel } from 'amqplib';
import { connectInProcess, isInProcess } from './in-process-broker.ts';
import type { CopyProperties } from './in-process-channel.ts';

/** Ids of messages that the broker returned as unroutable, by channel. */
const returned = new WeakMap<ConfirmChannel, Set<string>>();

function findReturnedIds(channel: ConfirmChannel): Set<string> {
  const known = returned.get(channel);
  if (known) return known;
  const ids = new Set<string>();
  channel.on('return', (message) => ids.add(String(message.properties.messageId)));
  returned.set(channel, ids);
  return ids;
}

export interface Destination {
  readonly exchange: string;
  readonly routingKey: string;
}

/**
 * Publishes a persistent message and resolves when the broker confirms it. RabbitMQ also confirms unroutable messages,
 * so the message is `mandatory` by default, and an unroutable one is returned.
 * @throws Error if the broker refuses it or no queue takes it
 */
export function publishConfirmed(
  channel: ConfirmChannel,
  { exchange, routingKey }: Destination,
  content: Buffer,
  properties: CopyProperties,
): Promise<void> {
  const ids = findReturnedIds(channel);
  const messageId = randomUUID();
  const all = { contentType: 'application/json', mandatory: true, ...properties, messageId, persistent: true };
  return new Promise((resolve, reject) => {
    channel.publish(exchange, routingKey, content, all, (error: unknown) => {
      if (error) reject(error as Error);
      else if (ids.delete(messageId)) reject(new Error(`no queue takes ${routingKey} of exchange "${exchange}"`));
      else resolve();
    });
  });
}

/** A silent peer counts as lost after two to three intervals, so within ten seconds. */
const HEARTBEAT_SECONDS = 3;
/** For a broker that accepts the connection and then stays silent. */
const CONNECT_TIMEOUT_MS = 10_000;
/** After this, the whole connection is cut, and the broker redelivers its messages. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Options of every connection to RabbitMQ: neither side waits forever for a lost peer. */
export function toConnectionOptions(url: string, heartbeatSeconds = HEARTBEAT_SECONDS) {
  const address = new URL(url);
  address.searchParams.set('heartbeat', String(heartbeatSeconds));
  const authorities = address.searchParams.get('cacertfile');
  address.searchParams.delete('cacertfile');
  const options = {
    // Nagle's algorithm would hold back small frames by up to 80 ms.
    noDelay: true,
    keepAlive: true,
    timeout: CONNECT_TIMEOUT_MS,
    ...(authorities === null ? {} : { ca: [readFileSync(authorities)] }),
  } as const;
  return { address: address.toString(), options };
}

/** Opens one connection, which does not reconnect by itself. */
export async function openConnection(url: string): Promise<ChannelModel> {
  if (isInProcess(url)) return connectInProcess(url);
  const { address, options } = toConnectionOptions(url);
  return connect(address, options);
}

/**
 * Closes a channel or a connection, and resolves when it is closed for any reason. amqplib's promise resolves only with
 * the broker's answer, and never if the connection ends before.
 */
export const closeGracefully = (closing: Channel | ChannelModel): Promise<void> =>
  new Promise((resolve) => {
    const { stream } = closing.connection as unknown as { readonly stream: Duplex };
    const cut = setTimeout(
      () => stream.destroy(new Error('RabbitMQ did not answer in time')),
      CLOSE_TIMEOUT_MS,
    ).unref();
    const closed = (): void => {
      clearTimeout(cut);
      resolve();
    };
    closing.once('close', closed);
    closing.close().then(closed, closed);
  });
