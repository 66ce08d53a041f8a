import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

export interface Received {
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
