import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyWebhook } from '@saleschannel/sdk';
import type { RunJournal } from './journal.ts';

/** Probability of each failure when a message first arrives. Later arrivals are accepted. */
const FAILS = 0.004;
const ASKS_TO_WAIT = 0.01;
const LOSES_THE_ANSWER = 0.01;
const IS_SLOW = 0.02;
const SLOW_MS = 2_000;
/** Faults move clocks by more than the five minutes that a receiver allows. */
const ANY_AGE_SECONDS = 10 * 365 * 86_400;

interface Endpoint {
  readonly channel: string;
  readonly secret: PromiseWithResolvers<string>;
}

/** A webhook receiver of the sales channels that sometimes fails, is slow or loses its answer. */
export class Receiver {
  /** Accepted messages by channel. */
  readonly accepted = new Map<string, Set<string>>();
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #arrived = new Set<string>();
  readonly #server = createServer((request, response) => {
    // The sender sometimes aborts and sends again.
    void this.#receive(request, response).catch(() => response.destroy());
  });
  readonly #journal: RunJournal;
  readonly #random: () => number;

  constructor(journal: RunJournal, random: () => number) {
    this.#journal = journal;
    this.#random = random;
  }

  async listen(host: string): Promise<void> {
    this.#server.listen(0, host);
    await once(this.#server, 'listening');
  }

  /** Returns the URL of a new endpoint. Its messages wait until `secret` is resolved. */
  open(channel: string): { url: string; secret: PromiseWithResolvers<string> } {
    const path = `/${this.#endpoints.size}`;
    const secret = Promise.withResolvers<string>();
    this.#endpoints.set(path, { channel, secret });
    this.accepted.set(channel, new Set());
    const { address, port } = this.#server.address() as AddressInfo;
    return { url: `http://${address}:${port}${path}`, secret };
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const endpoint = this.#endpoints.get(String(request.url));
    if (!endpoint) return void response.writeHead(404).end();
    const { channel, secret } = endpoint;
    const secrets = await secret.promise;
    const message = await verifyWebhook({
      body,
      headers: request.headers,
      secrets,
      toleranceSeconds: ANY_AGE_SECONDS,
    }).catch(() => undefined);
    if (message?.type !== 'TRANSACTION_STATUS_CHANGE') {
      this.#journal.add({ type: 'unsigned', channel });
      return void response.writeHead(400).end();
    }
    const { id, data, previousEventId: previous } = message;
    const draw = this.#arrived.has(id) ? 1 : this.#random();
    this.#arrived.add(id);
    if (draw < FAILS) return void response.writeHead(500).end();
    if (draw < FAILS + ASKS_TO_WAIT) return void response.writeHead(503, { 'retry-after': '1' }).end();
    const rest = draw - FAILS - ASKS_TO_WAIT;
    if (rest >= LOSES_THE_ANSWER && rest < LOSES_THE_ANSWER + IS_SLOW) await delay(SLOW_MS);
    const { transactionId, status } = data.payload;
    this.accepted.get(channel)?.add(id);
    this.#journal.add({ type: 'seen', follower: 'webhook', channel, event: id, transactionId, status, previous });
    if (rest < LOSES_THE_ANSWER) return void response.destroy();
    response.writeHead(204).end();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
