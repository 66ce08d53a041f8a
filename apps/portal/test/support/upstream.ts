import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an API got. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A small API behind the portal: it keeps what it gets and answers as it is told. */
export class TestUpstream {
  readonly received: Received[] = [];
  /** How it answers. By default with what it got. */
  answer: Answer = (_request, response) => void response.setHeader('content-type', 'application/json').end('{}');
  /** Hears of each part of a body. */
  onChunk: () => void = () => undefined;
  readonly #server: Server = createServer(
    (request, response) =>
      // Senders may break off.
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

  /** What it got last. @throws Error when it got nothing */
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
