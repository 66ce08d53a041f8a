import { readFileSync } from 'node:fs';
import { connect, type ChannelModel } from 'amqplib';
import { connectInProcess, isInProcess } from './in-process-broker.ts';

/** A side that is gone without a word is given up after two to three of them: within ten seconds. */
const HEARTBEAT_SECONDS = 3;
/** A broker that takes a connection and then says nothing. */
const CONNECT_TIMEOUT_MS = 10_000;

/** How every connection to RabbitMQ is made: no side waits for ever for one that is gone. */
export function connectionTo(url: string, heartbeatSeconds = HEARTBEAT_SECONDS) {
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

/** One connection, which does not come back by itself. */
export async function connectTo(url: string): Promise<ChannelModel> {
  if (isInProcess(url)) return connectInProcess(url);
  const { address, options } = connectionTo(url);
  return connect(address, options);
}
