import type { ConfirmChannel } from 'amqplib';
import { isIntegrationEventType } from '@saleschannel/contracts';
import type { PreparingClient } from '@saleschannel/database';
import { meter, type Logger } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import { publishConfirmed } from './amqp.ts';
import { readPartition, splitBody } from './envelope.ts';
import type { OutboxFloor } from './outbox-floor.ts';
import { replaceRow, setRowAside, withKeepAlive, type OutboxRow } from './outbox-rows.ts';
import { RefusedByConsumersError } from './in-process-queue.ts';
import { Routes } from './bindings.ts';
import { PublishedRows, RowsInFlight } from './relay-rows.ts';
import { brokerNames, queuesOf, routingKeyOf } from './topology.ts';

interface PublisherOptions {
  readonly broker: Broker;
  readonly service: string;
  readonly logger: Logger;
  readonly floor: OutboxFloor;
  /** Called when a channel opens, and when the broker has answered a row for which `publish` did not wait. */
  changed(): void;
}

/** AMQP 0-9-1: the broker refuses a message for good, such as one above its maximum size, and closes the channel. */
const PRECONDITION_FAILED = 406;
/** How long a message that closed the channel for another reason, such as a missing permission, is skipped. */
const HELD_BACK_MS = 30_000;
const MAX_HELD_BACK = 100;
const PUBLISHING = { 'messaging.system.name': 'rabbitmq', 'messaging.operation.name': 'publish' };

/**
 * Publishes rows of the outbox, and tracks confirmed rows until they are deleted. If the broker closes the channel
 * because of a message, rows are published one by one to find that message. It is then split or set aside, so that the
 * others continue.
 */
export class OutboxPublisher {
  readonly published = new PublishedRows();
  readonly #options: PublisherOptions;
  readonly #exchange: string;
  readonly #routes: Routes;
  readonly #sent = meter().createCounter('messaging.client.sent.messages', {
    unit: '{message}',
    description: 'Outbox messages confirmed by the broker',
  });
  /** Ids of skipped rows, each with the end of its pause on the `performance.now()` clock. */
  readonly #heldBack = new Map<string, number>();
  /** Types whose queues do not exist yet. Later rows of other types overtake them. */
  #blocked = new Set<string>();
  readonly #inFlight = new RowsInFlight();
  #refused: { readonly row: OutboxRow; readonly refusal: RefusedByConsumersError }[] = [];
  #channel: ConfirmChannel | undefined;
  /** Since when there is no channel, on the `performance.now()` clock. */
  #withoutChannelSince: number | undefined = performance.now();
  /** Why the broker closed the last channel, with its AMQP code. */
  #fault: { readonly code: number; readonly message: string } | undefined;
  /** True after the broker closed the channel because of one of several messages, until it is found. */
  #isSearching = false;
  /** Whether a row has failed after its round. */
  #hasFailed = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#exchange = brokerNames(options.broker.namespace).exchange;
    this.#routes = new Routes(options.broker);
    options.broker.use((channel) => this.#attach(channel));
  }

  get hasChannel(): boolean {
    return this.#channel !== undefined;
  }

  get withoutChannelMs(): number {
    return this.#withoutChannelSince === undefined ? 0 : performance.now() - this.#withoutChannelSince;
  }

  /** Whether rows wait for a missing queue, for their retry, or for overloaded consumers. */
  get isWaiting(): boolean {
    return this.#blocked.size > 0 || this.#heldBack.size > 0 || this.#inFlight.fullTypes().size > 0;
  }

  get isPublishing(): boolean {
    return this.#inFlight.size > 0;
  }

  /** Whether there is nothing to publish or to delete. */
  get isIdle(): boolean {
    return !this.isWaiting && !this.isPublishing && this.published.count === 0;
  }

  /** Id of the oldest row being published. */
  get oldestInFlight(): bigint | undefined {
    return this.#inFlight.oldest;
  }

  /** Returns the types and ids that the next read must skip. */
  async listExcluded(): Promise<{ types: Set<string>; ids: string[] }> {
    const now = performance.now();
    this.#blocked = await this.#findBlocked(this.#blocked);
    for (const [id, until] of this.#heldBack) if (until <= now) this.#heldBack.delete(id);
    return {
      types: new Set([...this.#blocked, ...this.#inFlight.fullTypes()]),
      ids: [...this.#heldBack.keys(), ...this.#inFlight.ids()],
    };
  }

  /** Sets aside events that consumers have refused. */
  async setRefusedAside(client: PreparingClient): Promise<void> {
    for (let refused = this.#refused[0]; refused; refused = this.#refused[0]) {
      const { row, refusal } = refused;
      const about = { outboxId: row.id, type: row.type, reason: refusal.message };
      this.#options.logger.error(about, 'outbox relay: consumers refused an event for good; it is in outbox_refused');
      await client.run(setRowAside({ id: row.id, body: refusal.toRefusedBody(row.body), reason: refusal.message }));
      this.#refused.shift();
      this.#inFlight.delete(row.id);
    }
  }

  /** Publishes rows in order, except those whose queues do not exist. Returns how many failed. */
  async publish(client: PreparingClient, rows: readonly OutboxRow[]): Promise<number> {
    const blocked = await this.#findBlocked(new Set(rows.map((row) => row.type)));
    for (const type of blocked) {
      this.#blocked.add(type);
      this.#options.logger.warn(`outbox relay: ${type} waits until all of its queues are declared`);
    }
    const channel = this.#channel;
    if (!channel) return rows.length;
    const full = this.#inFlight.fullTypes();
    const publishable = rows.filter(({ type }) => !blocked.has(type) && !full.has(type));
    const isSearching = this.#isSearching;
    const done = await withKeepAlive(client, () =>
      isSearching ? this.#publishOneByOne(client, channel, publishable) : this.#publishTogether(channel, publishable),
    );
    if (this.#fault) this.#isSearching = true;
    else if (isSearching && channel === this.#channel) this.#isSearching = false;
    return rows.length - done;
  }

  /** Returns whether rows have failed since the last call. */
  takeFailure(): boolean {
    const hasFailed = this.#hasFailed;
    this.#hasFailed = false;
    return hasFailed;
  }

  #attach(channel: ConfirmChannel): Promise<void> {
    channel.on('error', ({ code, message }: Error & { code?: number }) => {
      if (code !== undefined) this.#fault = { code, message };
    });
    channel.on('close', () => {
      if (this.#channel !== channel) return;
      this.#channel = undefined;
      this.#withoutChannelSince = performance.now();
    });
    this.#channel = channel;
    this.#withoutChannelSince = undefined;
    this.#fault = undefined;
    this.#routes.forget();
    this.#options.changed();
    return Promise.resolve();
  }

  async #findBlocked(types: Iterable<string>): Promise<Set<string>> {
    const found = new Set<string>();
    for (const type of types) if (!(await this.#routes.haveQueues(type))) found.add(type);
    return found;
  }

  /**
   * Returns how many rows did not fail. Waits for confirms, unless they mean that consumers are done: then one stalled
   * consumer would delay the rows of all others.
   */
  async #publishTogether(channel: ConfirmChannel, rows: readonly OutboxRow[]): Promise<number> {
    const outcomes = rows.map((row) => this.#publish(channel, row));
    if (this.#options.broker.isInProcess) {
      for (const outcome of outcomes) void outcome.then((isAccepted) => this.#ended(isAccepted));
      return rows.length;
    }
    return (await Promise.all(outcomes)).filter((isAccepted) => isAccepted).length;
  }

  #ended(isAccepted: boolean): void {
    if (!isAccepted) this.#hasFailed = true;
    this.#options.changed();
  }

  /**
   * Stops at a row for which the broker closes the channel. Nothing else is in flight then, so that row is the cause.
   * Returns how many rows were accepted.
   */
  async #publishOneByOne(
    client: PreparingClient,
    channel: ConfirmChannel,
    rows: readonly OutboxRow[],
  ): Promise<number> {
    let done = 0;
    for (const row of rows) {
      const isAccepted = await this.#publish(channel, row);
      if (isAccepted) done++;
      if (channel === this.#channel) continue;
      if (!isAccepted && this.#fault) await this.#removeRefused(client, row, this.#fault);
      break;
    }
    return done;
  }

  /**
   * Splits, sets aside or skips a row, so that the rows behind it continue. Only the sum of its entries may be too
   * large.
   */
  async #removeRefused(
    client: PreparingClient,
    { id, type, body }: OutboxRow,
    { code, message: reason }: { code: number; message: string },
  ): Promise<void> {
    const { logger } = this.#options;
    const about = { outboxId: id, type, bytes: Buffer.byteLength(body), reason };
    if (code !== PRECONDITION_FAILED) {
      logger.error(about, 'outbox relay: the broker did not accept an event; others overtake it');
      if (this.#heldBack.size < MAX_HELD_BACK) this.#heldBack.set(id, performance.now() + HELD_BACK_MS);
      return;
    }
    const smaller = splitBody(body);
    if (smaller) {
      logger.warn(about, 'outbox relay: the broker refused a message; splitting it');
      await client.run(replaceRow(id, smaller));
      return;
    }
    logger.error(about, 'outbox relay: the broker refused an event for good; it is in outbox_refused');
    await client.run(setRowAside({ id, body, reason }));
  }

  /** Returns false if the row failed and must be published again. */
  async #publish(channel: ConfirmChannel, row: OutboxRow): Promise<boolean> {
    this.#options.floor.recordPublished(row.id);
    this.#inFlight.add(row);
    try {
      await this.#send(channel, row);
      this.#sent.add(1, PUBLISHING);
      this.published.add(row.id);
      this.#inFlight.delete(row.id);
      return true;
    } catch (error) {
      // Stays in flight until it is set aside.
      if (error instanceof RefusedByConsumersError) {
        this.#refused.push({ row, refusal: error });
        return true;
      }
      this.#inFlight.delete(row.id);
      this.#options.floor.recordFailed(row.id);
      return false;
    } finally {
      this.#inFlight.free(row);
    }
  }

  /** Broadcasts are not mandatory: there may be no listener. */
  async #send(channel: ConfirmChannel, { type, body }: OutboxRow): Promise<void> {
    const mandatory = isIntegrationEventType(type) && queuesOf(type).length > 0;
    const properties = { type, mandatory, appId: this.#options.service };
    const routingKey = routingKeyOf(type, readPartition(body));
    await publishConfirmed(channel, { exchange: this.#exchange, routingKey }, Buffer.from(body), properties);
  }
}
