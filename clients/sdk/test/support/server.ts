import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SalesChannel, type SalesChannelOptions } from '../../src/index.ts';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Responds to one request. */
export type Reply = (response: ServerResponse, received: Received) => void;

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response, { headers: sent }) => {
    const type = status < 400 ? 'application/json' : 'application/problem+json';
    response.writeHead(status, {
      'Content-Type': type,
      'X-Request-Id': String(sent['x-request-id']),
      ...headers,
    });
    response.end(JSON.stringify(body));
  };

export const problem = (status: number, name: string, more: object = {}, headers: Record<string, string> = {}): Reply =>
  json(
    status,
    { type: `/problems/${name}`, title: name, status, detail: 'So it is.', instance: '/', ...more },
    headers,
  );

/** Breaks the connection instead of responding. */
export const resetConnection: Reply = (response) => void response.socket?.resetAndDestroy();

/** Breaks the connection within the response. */
export const resetInBody: Reply = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('[{"id":', () => response.socket?.destroy());
};

/** Never responds. */
export const neverReply: Reply = () => undefined;

export interface Server {
  readonly url: string;
  readonly received: readonly Received[];
  client(options?: Partial<SalesChannelOptions>): SalesChannel;
  stop(): Promise<void>;
}

/** A real server on the loopback. @param reply response to each request, by its number from 0 */
export async function startServer(reply: (number: number, received: Received) => Reply): Promise<Server> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(pieces).toString() };
      received.push(one);
      reply(received.length - 1, one)(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    client: (options) =>
      new SalesChannel({
        baseUrl: url,
        credentials: { apiKeyId: 'key', passphrase: 'secret' },
        // Disables jitter, so that tests do not wait.
        random: () => 0,
        ...options,
      }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Replies in turn, repeating the last reply. */
export const inTurn =
  (...replies: readonly [Reply, ...Reply[]]) =>
  (number: number): Reply =>
    replies[Math.min(number, replies.length - 1)] as Reply;

/** Responses in turn, repeating the last reply, without a network: for tests with fake timers. */
export function inMemory(...answers: readonly [() => Response, ...(() => Response)[]]) {
  let count = 0;
  const answer: typeof fetch = () =>
    Promise.resolve((answers[Math.min(count++, answers.length - 1)] as () => Response)());
  const options: SalesChannelOptions = {
    baseUrl: 'https://api.example.org',
    credentials: { apiKeyId: 'key', passphrase: 'secret' },
    fetch: answer,
  };
  return { options, count: () => count };
}
