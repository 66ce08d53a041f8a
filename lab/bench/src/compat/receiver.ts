import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@saleschannel/sdk';

/** Messages received per path, in the order of their first arrival. */
export interface Receiver {
  readonly url: string;
  arrived(path: string): readonly string[];
  /** Sets the secret with which messages to this path are signed. */
  expect(path: string, secret: string): void;
  /** Messages with an invalid signature. */
  readonly unsigned: number;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const arrived = new Map<string, Set<string>>();
  // The first message may arrive before the answer with the secret.
  const secrets = new Map<string, PromiseWithResolvers<string>>();
  const getSecret = (path: string): PromiseWithResolvers<string> => {
    const secret = secrets.get(path) ?? Promise.withResolvers<string>();
    secrets.set(path, secret);
    return secret;
  };
  let unsigned = 0;
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { url: path = '' } = request;
      const ids = arrived.get(path) ?? new Set();
      arrived.set(path, ids.add(String(request.headers['webhook-id'])));
      const { headers } = request;
      const body = Buffer.concat(pieces);
      getSecret(path)
        .promise.then((secret) => verifyWebhook({ body, headers, secrets: secret }))
        .catch(() => (unsigned += 1))
        .finally(() => response.writeHead(204).end());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived: (path) => [...(arrived.get(path) ?? [])],
    expect: (path, secret) => getSecret(path).resolve(secret),
    get unsigned() {
      return unsigned;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
