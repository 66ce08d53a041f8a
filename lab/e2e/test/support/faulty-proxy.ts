import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Faults of a request. */
const faults = ['refused', 'lost', 'answer-lost', 'answer-cut', 'answer-refused'] as const;
type Fault = (typeof faults)[number];

export interface FaultyProxy {
  readonly url: string;
  /** Number of occurrences by fault. */
  readonly faultCounts: Readonly<Record<Fault, number>>;
  stop(): Promise<void>;
}

/** A seeded generator (mulberry32), so that a run can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'Content-Type': 'application/problem+json', 'Retry-After': '0' });
  response.end('{"type":"/problems/unavailable","title":"Unavailable","status":503,"detail":"By chance."}');
}

const cut = (response: ServerResponse): void => void response.socket?.resetAndDestroy();

/**
 * Proxies a server and fails one request in four: with a 503 or a broken connection, before the request arrives, after
 * it, or in the middle of the answer.
 */
export async function startFaultyProxy(target: string, seed: number): Promise<FaultyProxy> {
  const random = randomFrom(seed);
  const happened = { refused: 0, lost: 0, 'answer-lost': 0, 'answer-cut': 0, 'answer-refused': 0 };
  const faultOfRequest = (): Fault | undefined => faults[Math.floor(random() * faults.length * 4)];

  const passOn = (answer: IncomingMessage, body: Buffer, response: ServerResponse, fault: Fault | undefined): void => {
    if (fault === 'answer-lost') return cut(response);
    if (fault === 'answer-refused') return refuse(response);
    const headers = { ...answer.headers };
    delete headers['transfer-encoding'];
    response.writeHead(answer.statusCode ?? 502, { ...headers, 'content-length': body.length });
    if (fault === undefined) response.end(body);
    else response.write(body.subarray(0, body.length / 2), () => cut(response));
  };

  const server = createServer((request, response) => {
    const fault = faultOfRequest();
    if (fault !== undefined) happened[fault] += 1;
    if (fault === 'refused') return refuse(response);
    if (fault === 'lost') return cut(response);
    const forwarded = ask(new URL(request.url ?? '/', target), { method: request.method, headers: request.headers });
    forwarded.on('response', (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => passOn(answer, Buffer.concat(pieces), response, fault));
    });
    forwarded.on('error', () => cut(response));
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faultCounts: happened,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
