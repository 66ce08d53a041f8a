import { createHash, createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Event, SalesChannel, WebhookMessage } from '@saleschannel/sdk';
import type { Command } from 'commander';
import { CommandError, UsageError } from '../failures.ts';
import { addExamples, createPollOption, parseUrl } from '../options.ts';
import { readPrivateFile, writePrivateFile } from '../private-file.ts';
import type { Tools } from '../tools.ts';

interface ListenOptions {
  readonly forwardTo: string;
  readonly fromStart?: boolean;
  readonly poll: number;
}

export function addListen(program: Command, tools: Tools): void {
  const listen = program
    .command('listen')
    .description('Forwards each event as a signed webhook, from the stored position, so that no event is lost.')
    .requiredOption('--forward-to <url>', 'target, such as http://127.0.0.1:3000/webhooks', parseUrl)
    .option('--from-start', 'if no position is stored, start with the first event of the log instead of the next one')
    .addOption(createPollOption(1))
    .action((options: ListenOptions) => runListen(options, tools));
  addExamples(listen, 'listen --forward-to http://127.0.0.1:3000/webhooks');
}

async function runListen({ forwardTo, fromStart, poll: pollMs }: ListenOptions, tools: Tools): Promise<void> {
  const { signal } = tools.io;
  const client = tools.client();
  const config = tools.config();
  const forwarder = new Forwarder({
    target: forwardTo,
    secret: await getWebhookSecret(tools),
    signal,
    onFailure: tools.printRetry,
  });
  const positions = new PositionStore(config.folder, {
    profile: config.profileName,
    baseUrl: new URL(tools.session().baseUrl).href,
    target: forwardTo,
  });
  const start = positions.read() ?? positions.save(fromStart === true ? {} : await positions.readEnd(client, signal));
  tools.printMessage(`Forwarding events to ${forwardTo} from ${start.position ?? 'the first event'}`);
  let { eventId } = start;
  const log = client.events.iterate({
    from: start.position,
    follow: true,
    pollMs,
    signal,
    onFailure: tools.printRetry,
  });
  for await (const { event, position } of log) {
    await forwarder.forward(event, eventId ?? null);
    // Stored after forwarding: an interrupted run forwards the event again.
    positions.save({ position, eventId: event.id });
    eventId = event.id;
    tools.printer().printEvent({ id: event.id, ...event.payload, position }, forwardedColumns);
  }
}

interface Forwarded {
  readonly id: string;
  readonly transactionId: string;
  readonly status: string;
}

const forwardedColumns = {
  ID: ({ id }: Forwarded) => id,
  TRANSACTION: ({ transactionId }: Forwarded) => transactionId,
  STATUS: ({ status }: Forwarded) => status,
};

/** Webhook secret of the profile. Shown only when it is created. */
function getWebhookSecret(tools: Tools): string | Promise<string> {
  const config = tools.config();
  const stored = config.profile()?.webhookSecret;
  if (stored !== undefined) return stored;
  return config.change((profile, save) => {
    if (!profile) throw new UsageError(`The profile ${config.profileName} does not exist. Run scs login.`);
    if (profile.webhookSecret !== undefined) return profile.webhookSecret;
    const webhookSecret = createWebhookSecret();
    save({ ...profile, webhookSecret });
    tools.printMessage(`Webhook secret of this profile, which your program needs to verify webhooks: ${webhookSecret}`);
    return webhookSecret;
  });
}

/** Position up to which a target was served. Without `position`, start at the first event. */
interface ListenPosition {
  readonly position?: string | undefined;
  /** Last forwarded event. */
  readonly eventId?: string | undefined;
  /** Service that the position belongs to. */
  readonly baseUrl?: string | undefined;
}

interface ListenTarget {
  readonly profile: string;
  readonly baseUrl: string;
  readonly target: string;
}

/** Stores the position of a target, per profile. */
class PositionStore {
  readonly #file: string;
  readonly #route: ListenTarget;

  constructor(folder: string, route: ListenTarget) {
    this.#route = route;
    const { profile, target } = route;
    const name = createHash('sha256').update(`${profile}\n${target}`).digest('hex').slice(0, 32);
    this.#file = join(folder, `listen-${name}.json`);
  }

  /** Undefined if nothing was forwarded yet. @throws UsageError if the position belongs to another service */
  read(): ListenPosition | undefined {
    const stored = readPrivateFile(this.#file) as ListenPosition | undefined;
    const { profile, baseUrl, target } = this.#route;
    if (stored?.baseUrl === undefined || stored.baseUrl === baseUrl) return stored;
    const why = `The profile ${profile} has forwarded events of ${stored.baseUrl} to ${target}`;
    throw new UsageError(`${why}. Use another --profile for ${baseUrl}, or delete ${this.#file}.`);
  }

  save(position: ListenPosition): ListenPosition {
    writePrivateFile(this.#file, { ...position, baseUrl: this.#route.baseUrl });
    return position;
  }

  /** Current end of the log. */
  async readEnd(client: SalesChannel, signal: AbortSignal): Promise<ListenPosition> {
    const query = { $orderBy: { createdAt: 'desc' as const }, $limit: 1 };
    const [newest] = await client.request('listEvents', { query, signal });
    return newest ? { position: client.events.positionOf(newest), eventId: newest.id } : {};
  }
}

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

const createWebhookSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

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
class Forwarder {
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
