import type { Event, WebhookMessage } from '@saleschannel/sdk';
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../context.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const createWebhookSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Webhook headers, signed by Standard Webhooks 1.0. @param at seconds since 1970 */
function signedHeaders(secret: string, id: string, at: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
}

const GONE = 410;
const ATTEMPT_MS = 15_000;
const FIRST_PAUSE_MS = 200;
const PAUSE_AT_MOST_MS = 10_000;

interface ForwarderOptions {
  readonly target: string;
  readonly secret: string;
  readonly signal: AbortSignal;
  /** Receives the first failure of each event. */
  readonly onFailure: (error: Error) => void;
}

/** Delivers events to a program one by one, retrying each until it is accepted. */
export class Forwarder {
  readonly #options: ForwarderOptions;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /** Resolves once the program has accepted the event. @throws the signal's reason, or CommandError after a 410 */
  async forward(event: Event, previousEventId: string | null): Promise<void> {
    const { signal, onFailure } = this.#options;
    const { eventType: type } = event;
    const message: Omit<WebhookMessage, 'id'> = { type, timestamp: timeOf(event), data: event, previousEventId };
    const body = JSON.stringify(message);
    for (let pauseMs = FIRST_PAUSE_MS, failures = 0; ; pauseMs = Math.min(2 * pauseMs, PAUSE_AT_MOST_MS)) {
      const fault = await this.#attempt(event.id, body);
      if (fault === undefined) return;
      failures += 1;
      if (failures === 1) onFailure(new Error(`${this.#options.target} did not accept event ${event.id}: ${fault}`));
      await delay(pauseMs * (0.5 + Math.random() / 2), undefined, { signal });
    }
  }

  /** Returns the reason of a failure, if any. */
  async #attempt(id: string, body: string): Promise<string | undefined> {
    const { target, secret, signal } = this.#options;
    signal.throwIfAborted();
    const headers = signedHeaders(secret, id, Math.floor(Date.now() / 1_000), body);
    try {
      const response = await fetch(target, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'User-Agent': 'scs', ...headers },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]),
      });
      await response.body?.cancel();
      // As in the service, 410 ends the deliveries.
      if (response.status === GONE) throw new CommandError(`${target} responded with 410 to event ${id}. scs stops.`);
      return response.ok ? undefined : `it responded with ${response.status}`;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof CommandError) throw error;
      const { cause, message } = error as Error;
      return cause instanceof Error && cause.message !== '' ? cause.message : message;
    }
  }
}

const timeOf = ({ createdAt, eventAt }: Event): string => createdAt ?? eventAt ?? new Date().toISOString();
