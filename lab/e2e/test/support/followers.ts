import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createClient } from '@saleschannel/grpc';
import { addressOf } from '@saleschannel/installation';
import { createProgramCredentials, type DemoUser } from '@saleschannel/local';
import type { System } from '../../src/system.ts';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Type of the message. */
  readonly type: string;
}

export interface Receiver {
  /** Base URL. Messages are accepted at all paths below it. */
  readonly url: string;
  readonly received: readonly Received[];
  /** Stops it. It does not keep the process alive, so it may be left running. */
  stop(): Promise<void>;
}

/**
 * Starts a webhook receiver of a sales channel.
 * @param fault body of a 500 answer, or undefined to accept the message
 */
export async function startReceiver(
  fault: (message: Received) => string | undefined = () => undefined,
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const { type } = JSON.parse(body) as { type: string };
      const message = { path: String(request.url), headers: request.headers, body, type };
      const answer = fault(message);
      received.push(message);
      response.writeHead(answer === undefined ? 204 : 500).end(answer);
    })();
  });
  server.on('connection', (socket) => socket.unref());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface EventFollower {
  /** Transactions of the events received so far, in order. */
  readonly transactionIds: readonly string[];
  /** Resolves when the first stream is open. */
  opened(): Promise<void>;
  stop(): Promise<void>;
}

const STREAM_MS = 300_000;

/**
 * Follows the event log as a gateway does for a client: it starts at the first replica. If a stream ends because its
 * replica fails, it resumes at the next one.
 */
export function followEvents(system: System, user: DemoUser, replicas: readonly string[]): EventFollower {
  const transactionIds: string[] = [];
  const stopping = new AbortController();
  const opened = Promise.withResolvers<void>();
  let after: string | undefined;

  async function readFrom(address: string): Promise<void> {
    const tokens = await createProgramCredentials('gateway', system);
    const identity = createClient('identity', { address: addressOf('identity', system.place), tokens });
    const events = createClient('events', { address, tokens });
    try {
      const { principalToken } = await identity.Authenticate({
        surface: 'SURFACE_SALES_CHANNEL',
        key: { keyId: user.apiKey.id, secret: user.apiKey.secret },
        receivers: ['events'],
      });
      const call = { principalToken, timeoutMs: STREAM_MS, signal: stopping.signal };
      for await (const message of events.StreamEvents(after === undefined ? {} : { after }, call)) {
        opened.resolve();
        after = message.events.at(-1)?.id ?? message.after ?? after;
        transactionIds.push(...message.events.map(({ transactionId }) => transactionId));
      }
    } finally {
      identity.close();
      events.close();
    }
  }

  async function follow(): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      await readFrom(String(replicas[turn % replicas.length])).catch((error: unknown) => {
        if (!stopping.signal.aborted && (error as { code?: unknown }).code !== 'unavailable') throw error;
      });
    }
  }

  const following = follow();
  following.catch(opened.reject);
  return {
    transactionIds,
    opened: () => opened.promise,
    stop() {
      stopping.abort();
      return following;
    },
  };
}
