import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Demo } from '../../src/demo.ts';
import { keys, problem, PublicApi } from './api.ts';
import { Ledger } from './ledger.ts';

/**
 * Fault of a request: lost before it is read, lost after it took effect, answered by a proxy, or refused temporarily.
 */
export type RequestFault = 'cut-before' | 'cut-after' | 'proxy' | 503 | 429 | undefined;

export interface TestStack {
  readonly ledger: Ledger;
  readonly api: PublicApi;
  readonly demo: Demo;
  /** Method and path of every request, in order. */
  readonly requests: string[];
  fault: (request: string, count: number) => RequestFault;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A stack, as seen by a replay. */
export async function startStack(): Promise<TestStack> {
  const ledger = new Ledger('trader-one');
  const api = new PublicApi(ledger);
  const server = createServer((request, response) => {
    handle(stack, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const stack: TestStack = {
    ledger,
    api,
    demo: demoAt(`http://127.0.0.1:${address.port}`),
    requests: [],
    fault: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return stack;
}

const demoAt = (baseUrl: string): Demo => ({
  baseUrl,
  registryBaseUrl: baseUrl,
  registryKey: keys.registry,
  channels: [
    {
      salesChannelId: 'channel',
      accountHolderId: 'holder',
      traders: [
        { id: 'trader-two', onboarded: false },
        { id: 'trader-one', onboarded: true },
      ],
      users: [{ apiKey: keys.user }],
    },
  ],
});

async function handle(stack: TestStack, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers, socket } = request;
  const name = `${method} ${url}`;
  stack.requests.push(name);
  const fault = stack.fault(name, stack.requests.length);
  if (fault === 'cut-before') return void socket.destroy();
  const body = await text(request);
  if (fault === 'proxy') return void response.end('<html>Sign in</html>');
  const reply =
    typeof fault === 'number'
      ? { ...problem(fault, 'unavailable', 'Not now.'), headers: { 'retry-after': '0' } }
      : stack.api.answer({ method, url: new URL(url, stack.demo.baseUrl), headers, body });
  if (fault === 'cut-after') return void socket.destroy();
  response
    .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    .end(JSON.stringify(reply.body));
}
