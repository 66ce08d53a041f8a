import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request that the API received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Fake API behind the portal. Records requests, and answers as set. */
export class TestUpstream {
  readonly received: Received[] = [];
  /** Creates the answer. By default it returns the request. */
  answer: Answer = (_request, response) => void response.setHeader('content-type', 'application/json').end('{}');
  /** Gets each part of a body. */
  onChunk: () => void = () => undefined;
  readonly #server: Server = createServer(
    (request, response) =>
      // Senders may disconnect.
      void this.#take(request, response).catch(() => undefined),
  );

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Last request. @throws Error without requests */
  get last(): Received {
    const last = this.received.at(-1);
    if (!last) throw new Error('nothing was received');
    return last;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'none', url = 'none', headers } = request;
    let body = '';
    for await (const chunk of request) {
      body += String(chunk);
      this.onChunk();
    }
    this.received.push({ method, url, headers, body });
    this.answer(request, response, body);
  }
}
