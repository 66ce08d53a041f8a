import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Process of webhook-receiver.ts. It sends its port, and on request the number of messages. */

// Each endpoint has its own path.
const seen = new Set<string>();

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    seen.add(`${request.url} ${String(request.headers['webhook-id'])}`);
    response.writeHead(204).end();
  });
});

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => process.send?.(seen.size));
process.on('disconnect', () => process.exit());
