import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly id: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Sets the answer to later messages. Default: 200. */
  answer(respond: (message: Received, response: ServerResponse) => void): void;
  /** Concurrent messages now, and their maximum so far. */
  readonly load: { now: number; max: number };
  stop(): Promise<void>;
}

/** Starts the HTTP server of an endpoint. */
export async function startReceiver(): Promise<Receiver> {
  let respond = (_message: Received, response: ServerResponse): void => void response.end('thanks');
  const received: Received[] = [];
  const load = { now: 0, max: 0 };
  const server = createServer((request, response) => {
    load.now += 1;
    load.max = Math.max(load.max, load.now);
    response.once('close', () => void (load.now -= 1));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const message = {
        id: String(request.headers['webhook-id']),
        path: request.url ?? '/',
        headers: request.headers,
        body,
      };
      received.push(message);
      respond(message, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    load,
    answer: (next) => void (respond = next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (_message: Received, response: ServerResponse): void =>
    void response.writeHead(code, headers).end(`status ${code}`);

export const idsOf = (messages: readonly Received[]): string[] => messages.map(({ id }) => id);
export const sorted = (ids: readonly string[]): string[] => ids.toSorted();
