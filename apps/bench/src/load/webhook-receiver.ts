import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';

/** Takes messages of webhooks as fast as it can, in a thread of its own, so that it holds up no request of the load. */
export interface WebhookReceiver {
  readonly url: string;
  /** Different messages that came so far, over all endpoints. */
  received(): Promise<number>;
  close(): Promise<void>;
}

type Question = 'count';

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const worker = new Worker(new URL(import.meta.url));
  const [port] = (await once(worker, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    async received() {
      worker.postMessage('count' satisfies Question);
      const [count] = (await once(worker, 'message')) as [number];
      return count;
    },
    async close() {
      await worker.terminate();
    },
  };
}

function serve(): Server {
  // Each endpoint has a path of its own.
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      seen.add(`${request.url} ${String(request.headers['webhook-id'])}`);
      response.writeHead(204).end();
    });
  });
  parentPort?.on('message', () => parentPort?.postMessage(seen.size));
  return server;
}

if (!isMainThread) {
  const server = serve().listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}
